package dev.holdfast.client;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What a {@link HoldfastException} tells.
 *
 * @param reason from the error catalogue, or one of {@link Reasons}
 * @param message in words
 * @param kind what a connection does about it
 * @param fromGateway whether a gateway said so itself, rather than the transport
 * @param retryAfter when coming back makes sense
 * @param metadata facts by name
 * @param cause the failure below, if any
 */
record Failure(
    String reason,
    String message,
    Kind kind,
    boolean fromGateway,
    Optional<Duration> retryAfter,
    Map<String, String> metadata,
    @Nullable Throwable cause) {

  /** What a connection that held its identity does about a failure. */
  enum Kind {
    /** Tries again. */
    TRANSIENT,
    /** Tries again for as long as it may wait for the other holder. */
    DUPLICATE,
    /** Closes. */
    FINAL
  }

  Failure {
    metadata = Map.copyOf(metadata);
  }

  /** A failure that this client found itself. */
  static Failure local(String reason, String message, Kind kind) {
    return new Failure(reason, message, kind, false, Optional.empty(), Map.of(), null);
  }

  Failure withRetryAfter(Optional<Duration> after) {
    return new Failure(reason, message, kind, fromGateway, after, metadata, cause);
  }
}
