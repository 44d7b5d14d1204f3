package dev.holdfast.client;

import java.time.Duration;
import java.util.Optional;

/** What became of a message. */
public sealed interface Receipt permits Receipt.Accepted, Receipt.Rejected {

  /** The id of the message, chosen by the application or by the SDK. */
  String correlationId();

  /** Whether the gateway that holds the receiver's stream queued the message. */
  boolean accepted();

  /**
   * The receiver's gateway queued the message.
   *
   * @param correlationId the id of the message
   */
  record Accepted(String correlationId) implements Receipt {
    @Override
    public boolean accepted() {
      return true;
    }
  }

  /**
   * The message was not accepted, or it is not known whether it was.
   *
   * @param correlationId the id of the message
   * @param reason why. From a gateway: {@code NOT_CONNECTED}, {@code TOO_LARGE}, {@code
   *     OVERLOADED}, {@code INVALID_MESSAGE}, {@code DELIVERY_UNKNOWN}. From this SDK: {@code
   *     DELIVERY_UNKNOWN} (the stream broke before the receipt came: the message may have arrived),
   *     {@code NOT_SENT} (it never left this client), {@code TOO_MANY_UNRECEIPTED}, {@code
   *     DUPLICATE_CORRELATION_ID}, {@code TOO_LARGE}
   * @param message what was wrong, in words
   * @param retryAfter when trying again makes sense; empty if the gateway didn't say
   */
  record Rejected(
      String correlationId, String reason, String message, Optional<Duration> retryAfter)
      implements Receipt {
    @Override
    public boolean accepted() {
      return false;
    }
  }
}
