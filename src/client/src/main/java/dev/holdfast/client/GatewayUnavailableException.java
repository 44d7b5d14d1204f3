package dev.holdfast.client;

import java.io.Serial;

/** No gateway could be reached, or the one that was reached can't serve just now. */
public final class GatewayUnavailableException extends HoldfastException {
  @Serial private static final long serialVersionUID = 1L;

  GatewayUnavailableException(Failure failure) {
    super(failure);
  }
}
