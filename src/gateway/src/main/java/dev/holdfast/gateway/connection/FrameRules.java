package dev.holdfast.gateway.connection;

import dev.holdfast.gateway.error.GatewayError;
import dev.holdfast.gateway.error.GatewayException;
import dev.holdfast.protocol.gateway.v1.InitConnection;
import java.time.Duration;
import java.util.Map;

/** Which frame a client may send when. Stateless. */
final class FrameRules {
  private FrameRules() {}

  /**
   * Takes the init out of a first frame.
   *
   * @throws GatewayException if the frame is anything else
   */
  static InitConnection initOf(InboundFrame frame) {
    if (frame instanceof InboundFrame.Parsed parsed) {
      return switch (parsed.request().getFrameCase()) {
        case INIT -> parsed.request().getInit();
        case SEND, GRANT ->
            throw new GatewayException(
                GatewayError.FIRST_FRAME_NOT_INIT,
                "The first frame was '%s'; send `init` first."
                    .formatted(parsed.request().getFrameCase()));
        case FRAME_NOT_SET -> throw empty();
      };
    }
    throw unusable(frame);
  }

  /**
   * Checks a frame after the first.
   *
   * @throws GatewayException if the client may not send it
   */
  static void checkLater(InboundFrame frame) {
    if (!(frame instanceof InboundFrame.Parsed parsed)) {
      throw unusable(frame);
    }
    switch (parsed.request().getFrameCase()) {
      case SEND, GRANT -> {}
      case INIT ->
          throw new GatewayException(
              GatewayError.DUPLICATE_INIT,
              "A second `init` arrived; open another stream for another identity.");
      case FRAME_NOT_SET -> throw empty();
    }
  }

  static GatewayException initTimeout(Duration limit) {
    return new GatewayException(
        GatewayError.INIT_TIMEOUT,
        "No frame arrived within %d ms; send `init` when the stream is open."
            .formatted(limit.toMillis()));
  }

  static GatewayException halfClosedBeforeInit() {
    return new GatewayException(
        GatewayError.FIRST_FRAME_NOT_INIT, "The stream was half-closed before `init` was sent.");
  }

  static GatewayException tooLarge(int limitBytes) {
    return new GatewayException(
        GatewayError.FRAME_TOO_LARGE,
        "A frame is larger than %d bytes; send less at once.".formatted(limitBytes),
        Map.of("max_frame_bytes", Integer.toString(limitBytes)),
        null);
  }

  private static GatewayException empty() {
    return new GatewayException(
        GatewayError.MALFORMED_FRAME, "A frame holds none of the known kinds; set one of them.");
  }

  private static GatewayException unusable(InboundFrame frame) {
    return frame instanceof InboundFrame.TooLarge tooLarge
        ? tooLarge(tooLarge.limit())
        : new GatewayException(
            GatewayError.MALFORMED_FRAME,
            "A frame could not be parsed: %s.".formatted(((InboundFrame.Malformed) frame).why()));
  }
}
