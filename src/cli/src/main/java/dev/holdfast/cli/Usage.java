package dev.holdfast.cli;

import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;

/** Errors in how a command was called, found after its line was parsed. */
final class Usage {
  private Usage() {}

  /** An error that prints {@code message} and the command's usage. */
  static ParameterException error(@Nullable CommandSpec spec, @Nullable String message) {
    return new ParameterException(
        Objects.requireNonNull(spec, "set by picocli").commandLine(),
        Objects.requireNonNullElse(message, "the options don't fit together"));
  }
}
