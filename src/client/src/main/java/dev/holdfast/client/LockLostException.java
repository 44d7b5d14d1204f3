package dev.holdfast.client;

import java.io.Serial;

/** The gateway lost the lock on the identity; someone else may hold it now. */
public final class LockLostException extends HoldfastException {
  @Serial private static final long serialVersionUID = 1L;

  LockLostException(Failure failure) {
    super(failure);
  }
}
