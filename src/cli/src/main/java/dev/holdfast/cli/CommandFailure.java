package dev.holdfast.cli;

import java.io.Serial;

/** Ends the command with a message for its user and an exit code. */
final class CommandFailure extends RuntimeException {
  @Serial private static final long serialVersionUID = 1L;

  private final int exitCode;

  CommandFailure(int exitCode, String message) {
    super(message);
    this.exitCode = exitCode;
  }

  int exitCode() {
    return exitCode;
  }
}
