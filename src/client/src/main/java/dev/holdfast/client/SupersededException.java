package dev.holdfast.client;

import java.io.Serial;

/** Another connection resumed this session. This one never tries again by itself. */
public final class SupersededException extends HoldfastException {
  @Serial private static final long serialVersionUID = 1L;

  SupersededException(Failure failure) {
    super(failure);
  }
}
