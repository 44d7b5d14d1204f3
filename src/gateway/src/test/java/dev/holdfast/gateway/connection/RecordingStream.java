package dev.holdfast.gateway.connection;

import dev.holdfast.gateway.error.GatewayError;
import dev.holdfast.gateway.error.GatewayException;
import dev.holdfast.protocol.gateway.v1.ConnectResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A client's stream that keeps what it was sent. Thread-safe. */
final class RecordingStream implements ClientStream {
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
  public synchronized void requestFrame() {
    requested++;
  }

  @Override
  public synchronized void reset() {
    resets++;
  }

  synchronized void setReady(boolean on) {
    ready = on;
  }

  synchronized List<ConnectResponse> sent() {
    return List.copyOf(sent);
  }

  List<ConnectResponse.FrameCase> kinds() {
    return sent().stream().map(ConnectResponse::getFrameCase).toList();
  }

  synchronized int requested() {
    return requested;
  }

  synchronized boolean ended() {
    return ends == 1;
  }

  synchronized int ends() {
    return ends;
  }

  synchronized int resets() {
    return resets;
  }

  /** Returns the error with which the stream ended; fails if it ended with none, or not yet. */
  synchronized GatewayException error() {
    if (error == null) {
      throw new AssertionError("ended " + ends + " times, without an error");
    }
    return error;
  }

  GatewayError reason() {
    return error().error();
  }
}
