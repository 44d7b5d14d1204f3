package dev.holdfast.gateway.testing;

import dev.holdfast.gateway.connection.ClientStream;
import dev.holdfast.gateway.error.GatewayError;
import dev.holdfast.gateway.error.GatewayException;
import dev.holdfast.protocol.gateway.v1.ConnectResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A client's stream that keeps what it was sent. Thread-safe. */
public final class RecordingStream implements ClientStream {
  private final List<ConnectResponse> sent = new ArrayList<>();
  private boolean ready = true;
  private int requested;
  private int ends;
  private int resets;
  private @Nullable GatewayException error;

  @Override
  public synchronized boolean isReady() {
    return ready;
  }

  @Override
  public synchronized void send(ConnectResponse frame) {
    if (ends > 0) {
      throw new IllegalStateException("sent after the end: " + frame);
    }
    sent.add(frame);
  }

  @Override
  public synchronized void end(Optional<GatewayException> error) {
    ends++;
    this.error = error.orElse(null);
  }

  @Override
  public synchronized void requestFrames(int count) {
    requested += count;
  }

  @Override
  public synchronized void reset() {
    resets++;
  }

  public synchronized void setReady(boolean on) {
    ready = on;
  }

  public synchronized List<ConnectResponse> sent() {
    return List.copyOf(sent);
  }

  public List<ConnectResponse.FrameCase> kinds() {
    return sent().stream().map(ConnectResponse::getFrameCase).toList();
  }

  public synchronized int requested() {
    return requested;
  }

  public synchronized boolean ended() {
    return ends == 1;
  }

  public synchronized int ends() {
    return ends;
  }

  public synchronized int resets() {
    return resets;
  }

  /** Returns the error with which the stream ended; fails if it ended with none, or not yet. */
  public synchronized GatewayException error() {
    if (error == null) {
      throw new AssertionError("ended " + ends + " times, without an error");
    }
    return error;
  }

  public GatewayError reason() {
    return error().error();
  }
}
