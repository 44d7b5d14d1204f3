package dev.holdfast.systemtests.tour;

import dev.holdfast.client.ConnectOptions;
import dev.holdfast.client.Connection;
import dev.holdfast.client.ConnectionListener;
import dev.holdfast.client.ConnectionState;
import dev.holdfast.client.ReceivedMessage;
import dev.holdfast.client.StateChange;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** What one connection has told its listener, to be waited for. */
final class Transcript implements ConnectionListener {
  private static final Duration LIMIT = Duration.ofSeconds(30);

  private final BlockingQueue<ConnectionState> states = new LinkedBlockingQueue<>();
  private final BlockingQueue<String> messages = new LinkedBlockingQueue<>();

  /** Returns options that make a connection tell this. */
  ConnectOptions options() {
    return ConnectOptions.builder().listener(this).build();
  }

  /** Waits until the connection came to {@code wanted}; what it came to before is forgotten. */
  void await(ConnectionState wanted) throws InterruptedException {
    ConnectionState state = states.poll(LIMIT.toMillis(), TimeUnit.MILLISECONDS);
    while (state != null && state != wanted) {
      state = states.poll(LIMIT.toMillis(), TimeUnit.MILLISECONDS);
    }
    if (state == null) {
      throw new IllegalStateException("the client was not told " + wanted + " within " + LIMIT);
    }
  }

  /** Waits for a message; returns its sender and its text. */
  String awaitMessage(Duration limit) throws InterruptedException {
    String message = messages.poll(limit.toMillis(), TimeUnit.MILLISECONDS);
    return message == null ? "nothing" : message;
  }

  @Override
  public void onStateChange(Connection connection, StateChange change) {
    states.add(change.to());
  }

  @Override
  public void onMessage(Connection connection, ReceivedMessage message) {
    messages.add(message.from() + ": " + message.payloadText());
  }
}
