package dev.holdfast.client;

import java.io.Serial;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Optional;

/** The identity is held by another connection. */
public final class DuplicateIdentityException extends HoldfastException {
  @Serial private static final long serialVersionUID = 1L;

  DuplicateIdentityException(Failure failure) {
    super(failure);
  }

  /** Since when the other connection holds the identity; empty if the gateway didn't say. */
  public Optional<Instant> heldSince() {
    String value = metadata().get("held_since");
    if (value == null) {
      return Optional.empty();
    }
    try {
      return Optional.of(Instant.parse(value));
    } catch (DateTimeException notAnInstant) {
      return Optional.empty();
    }
  }

  /** The identity that is held; empty if the gateway didn't say. */
  public Optional<String> identity() {
    return Optional.ofNullable(metadata().get("identity"));
  }
}
