package dev.holdfast.gateway.message;

import dev.holdfast.gateway.error.GatewayError;
import dev.holdfast.gateway.error.GatewayException;
import dev.holdfast.gateway.identity.Identity;
import dev.holdfast.protocol.gateway.v1.SendMessage;
import org.jspecify.annotations.Nullable;

/** Says whether a message from a client can be delivered at all. Stateless. */
final class MessageCheck {
  static final int MAX_CORRELATION_ID_BYTES = 100;
  static final int MAX_CONTENT_TYPE_BYTES = 100;

  private MessageCheck() {}

  /** Checks everything but the receiver; returns null if nothing is wrong. */
  static @Nullable Rejection fields(SendMessage message, int maxPayloadBytes) {
    int payloadBytes = message.getPayload().size();
    if (payloadBytes > maxPayloadBytes) {
      return Rejection.never(
          GatewayError.TOO_LARGE,
          "The payload is %d bytes long; at most %d are allowed."
              .formatted(payloadBytes, maxPayloadBytes));
    }
    int idBytes = utf8Bytes(message.getCorrelationId());
    if (idBytes == 0 || idBytes > MAX_CORRELATION_ID_BYTES) {
      return Rejection.never(
          GatewayError.INVALID_MESSAGE,
          "The correlation id is %d bytes long; it must have 1 to %d."
              .formatted(idBytes, MAX_CORRELATION_ID_BYTES));
    }
    int typeBytes = utf8Bytes(message.getContentType());
    if (typeBytes > MAX_CONTENT_TYPE_BYTES) {
      return Rejection.never(
          GatewayError.INVALID_MESSAGE,
          "The content type is %d bytes long; at most %d are allowed."
              .formatted(typeBytes, MAX_CONTENT_TYPE_BYTES));
    }
    return null;
  }

  /**
   * Reads the receiver.
   *
   * @throws GatewayException {@code INVALID_IDENTITY} if it is no canonical identity string
   */
  static Identity receiver(SendMessage message) {
    return Identity.parse(message.getTo());
  }

  private static int utf8Bytes(String text) {
    int bytes = 0;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      // Each half of a surrogate pair stands for two of its four bytes.
      bytes += c < 0x80 ? 1 : (c < 0x800 || Character.isSurrogate(c)) ? 2 : 3;
    }
    return bytes;
  }
}
