package dev.holdfast.client;

import java.io.Serial;

/** The gateway doesn't accept the API key. The connection never tries again by itself. */
public final class UnauthenticatedException extends HoldfastException {
  @Serial private static final long serialVersionUID = 1L;

  UnauthenticatedException(Failure failure) {
    super(failure);
  }
}
