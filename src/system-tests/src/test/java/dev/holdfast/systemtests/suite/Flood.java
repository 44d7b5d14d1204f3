package dev.holdfast.systemtests.suite;

import com.google.protobuf.ByteString;
import dev.holdfast.protocol.gateway.v1.Receipt;
import dev.holdfast.systemtests.driver.RawConnection;

/** Messages to a receiver that does not take them. */
public final class Flood {
  private static final int LIMIT = 10_000;

  private Flood() {}

  /** Returns the correlation id of the message with this index, from 0. */
  public static String id(int index) {
    return "fill-" + index;
  }

  /**
   * Sends messages one by one until the receiver's queue is full.
   *
   * @return how many were accepted
   */
  public static int fill(RawConnection sender, String to, ByteString payload) {
    for (int i = 0; i < LIMIT; i++) {
      Receipt receipt = sender.message(id(i), to, payload).receipt(id(i));
      if (receipt.hasRejected()) {
        String reason = receipt.getRejected().getReason();
        if (!reason.equals("OVERLOADED")) {
          throw new AssertionError("a full queue was told as " + reason + ": " + receipt);
        }
        return i;
      }
    }
    throw new AssertionError(to + " took " + LIMIT + " messages without reading one");
  }
}
