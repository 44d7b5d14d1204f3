package dev.holdfast.client;

import com.google.protobuf.ByteString;
import dev.holdfast.protocol.gateway.v1.Message;
import java.nio.ByteBuffer;

/** A message from another identity. Immutable. */
public final class ReceivedMessage {
  private final Message message;

  ReceivedMessage(Message message) {
    this.message = message;
  }

  /** The id that the sender chose; 1 to 100 bytes. */
  public String correlationId() {
    return message.getCorrelationId();
  }

  /** The canonical identity string of the sender: where an answer goes. */
  public String from() {
    return message.getFrom();
  }

  /** The fencing token that the sender held its identity with. */
  public long senderFencingToken() {
    return message.getSenderFencingToken();
  }

  /** A copy of the payload. */
  public byte[] payload() {
    return message.getPayload().toByteArray();
  }

  /** A read-only view of the payload. */
  public ByteBuffer payloadBuffer() {
    return bytes().asReadOnlyByteBuffer();
  }

  /** The payload read as UTF-8; malformed bytes become U+FFFD. */
  public String payloadText() {
    return bytes().toStringUtf8();
  }

  /** What the payload is, such as {@code application/json}; may be empty. */
  public String contentType() {
    return message.getContentType();
  }

  /** The sender, the ids and the size, without the payload. */
  @Override
  public String toString() {
    return "message "
        + correlationId()
        + " from "
        + from()
        + " ("
        + bytes().size()
        + " bytes, token "
        + senderFencingToken()
        + ")";
  }

  private ByteString bytes() {
    return message.getPayload();
  }
}
