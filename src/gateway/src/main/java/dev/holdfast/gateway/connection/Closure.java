package dev.holdfast.gateway.connection;

import dev.holdfast.gateway.error.GatewayException;
import java.util.Optional;

/**
 * The end of a connection.
 *
 * @param detail in words, for the log
 * @param error what the client is told; empty for an end in good order
 */
record Closure(CloseCause cause, String detail, Optional<GatewayException> error) {
  /** Ends with the error that belongs to {@code cause}. */
  static Closure of(CloseCause cause, String detail) {
    return new Closure(
        cause, detail, cause.error().map(error -> new GatewayException(error, detail)));
  }

  /** Ends with a precise error. */
  static Closure of(CloseCause cause, GatewayException error) {
    return new Closure(cause, error.getMessage(), Optional.of(error));
  }
}
