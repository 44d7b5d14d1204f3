package dev.holdfast.gateway.message;

import dev.holdfast.gateway.error.GatewayException;
import dev.holdfast.protocol.gateway.v1.ConnectResponse;
import java.util.Optional;

/**
 * The outbound half of one client's stream. None of its methods blocks; {@link #send} and {@link
 * #end} are never called concurrently.
 */
public interface FrameSink {
  /** Says whether a frame can be sent without being buffered without bound. */
  boolean isReady();

  /** Sends a frame. Without effect once the stream has ended. */
  void send(ConnectResponse frame);

  /** Ends the stream, with an error or in good order. Called once, after every {@link #send}. */
  void end(Optional<GatewayException> error);
}
