package dev.holdfast.gateway.connection;

import dev.holdfast.gateway.message.FrameSink;

/** One client's stream, as the core sees it. Thread-safe save for what {@link FrameSink} says. */
public interface ClientStream extends FrameSink {
  /** Lets the client send that many frames more. */
  void requestFrames(int count);

  /**
   * Tears the stream down, whatever waits to be sent. Without effect once it has ended.
   *
   * <p>For a client that does not read: the end of the stream, too, would wait for it.
   */
  void reset();
}
