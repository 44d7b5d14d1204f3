package dev.holdfast.client;

import java.util.Optional;

/**
 * Why a connection is closed.
 *
 * @param reason a reason of the gateway's error catalogue, such as {@code FORCE_DISCONNECT}, or one
 *     of this SDK: see {@link HoldfastException#reason()}
 * @param cause the failure that closed it; empty if this client closed it
 */
public record CloseReason(String reason, Optional<HoldfastException> cause) {
  static final CloseReason BY_CLIENT = new CloseReason(Reasons.CLOSED_BY_CLIENT, Optional.empty());

  static CloseReason of(HoldfastException cause) {
    return new CloseReason(cause.reason(), Optional.of(cause));
  }
}
