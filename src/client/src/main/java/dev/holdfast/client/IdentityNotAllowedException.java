package dev.holdfast.client;

import java.io.Serial;

/** The API key may not hold this identity. The connection never tries again by itself. */
public final class IdentityNotAllowedException extends HoldfastException {
  @Serial private static final long serialVersionUID = 1L;

  IdentityNotAllowedException(Failure failure) {
    super(failure);
  }
}
