package dev.holdfast.gateway.message;

import dev.holdfast.protocol.gateway.v1.ConnectResponse;
import dev.holdfast.protocol.gateway.v1.SendMessage;

/**
 * Decides what becomes of a message whose receiver is connected nowhere: here is where a durable
 * log takes it in. Thread-safe; must not block.
 */
@FunctionalInterface
public interface UndeliverableMessages {
  /** Returns the receipt for {@code message}. */
  ConnectResponse notConnected(SendMessage message);

  /** Keeps nothing: every such message is answered with {@code NOT_CONNECTED}. */
  static UndeliverableMessages refused() {
    return message ->
        Frames.rejected(message.getCorrelationId(), Rejection.notConnected(message.getTo()));
  }
}
