package dev.holdfast.gateway.connection;

import dev.holdfast.protocol.gateway.v1.ConnectRequest;

/** What came in where one frame was expected. */
public sealed interface InboundFrame {
  /** A frame. */
  record Parsed(ConnectRequest request) implements InboundFrame {}

  /** Bytes that are no frame. */
  record Malformed(String why) implements InboundFrame {}

  /** A frame of more than {@code limit} bytes, which was not read to its end. */
  record TooLarge(int limit) implements InboundFrame {}
}
