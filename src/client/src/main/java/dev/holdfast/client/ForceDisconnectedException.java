package dev.holdfast.client;

import java.io.Serial;

/** An administrator ended the connection. It never tries again by itself. */
public final class ForceDisconnectedException extends HoldfastException {
  @Serial private static final long serialVersionUID = 1L;

  ForceDisconnectedException(Failure failure) {
    super(failure);
  }
}
