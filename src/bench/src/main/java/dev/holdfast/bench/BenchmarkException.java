package dev.holdfast.bench;

import org.jspecify.annotations.Nullable;

/** A benchmark could not be carried out; the message says why and, if known, what to do. */
final class BenchmarkException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  BenchmarkException(String message) {
    super(message);
  }

  BenchmarkException(@Nullable String message, Throwable cause) {
    super(message, cause);
  }
}
