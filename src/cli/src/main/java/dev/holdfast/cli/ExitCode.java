package dev.holdfast.cli;

import dev.holdfast.client.CloseReason;
import dev.holdfast.client.DuplicateIdentityException;
import dev.holdfast.client.GatewayUnavailableException;
import dev.holdfast.client.HoldfastException;
import dev.holdfast.client.IdentityNotAllowedException;
import dev.holdfast.client.UnauthenticatedException;

/** What the command tells its caller by its exit code; the help of every command lists them. */
final class ExitCode {
  static final int OK = 0;
  static final int FAILURE = 1;
  static final int USAGE = 2;
  static final int DUPLICATE_IDENTITY = 3;
  static final int NOT_PERMITTED = 4;
  static final int UNAVAILABLE = 5;
  static final int LOST = 6;

  private ExitCode() {}

  /** The code for an identity that was never held. */
  static int ofRefusal(HoldfastException refusal) {
    if (refusal instanceof DuplicateIdentityException) {
      return DUPLICATE_IDENTITY;
    }
    if (isNotPermitted(refusal)) {
      return NOT_PERMITTED;
    }
    return refusal instanceof GatewayUnavailableException ? UNAVAILABLE : FAILURE;
  }

  /** The code for an identity that was held. */
  static int ofEnd(CloseReason end) {
    if (end.cause().isEmpty()) {
      return OK;
    }
    return isNotPermitted(end.cause().get()) ? NOT_PERMITTED : LOST;
  }

  private static boolean isNotPermitted(HoldfastException failure) {
    return failure instanceof UnauthenticatedException
        || failure instanceof IdentityNotAllowedException;
  }
}
