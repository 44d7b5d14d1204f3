package dev.holdfast.systemtests.driver;

import dev.holdfast.client.Connection;
import dev.holdfast.client.ConnectionListener;
import dev.holdfast.client.ConnectionState;
import dev.holdfast.client.HoldfastException;
import dev.holdfast.client.Principal;
import dev.holdfast.client.ReceivedMessage;
import dev.holdfast.client.StateChange;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.awaitility.Awaitility;

/** Keeps everything that the SDK tells of one connection. Thread-safe. */
public final class RecordingListener implements ConnectionListener {
  private final List<StateChange> changes = new CopyOnWriteArrayList<>();
  private final List<Duration> retries = new CopyOnWriteArrayList<>();
  private final List<ReceivedMessage> messages = new CopyOnWriteArrayList<>();

  @Override
  public void onStateChange(Connection connection, StateChange change) {
    changes.add(change);
  }

  @Override
  public void onMessage(Connection connection, ReceivedMessage message) {
    messages.add(message);
  }

  @Override
  public void onRetry(Principal principal, Duration delay, HoldfastException cause) {
    retries.add(delay);
  }

  /** Returns how long the SDK said it would wait, retry by retry. */
  public List<Duration> retries() {
    return retries;
  }

  /** Returns every message so far. */
  public List<ReceivedMessage> messages() {
    return messages;
  }

  /** Returns every state so far, from the first change on. */
  public List<ConnectionState> states() {
    return changes.stream().map(StateChange::to).toList();
  }

  /** Waits until the states so far end in {@code last}. */
  public void awaitStates(ConnectionState... last) {
    List<ConnectionState> wanted = List.of(last);
    Awaitility.await("states " + wanted)
        .atMost(Duration.ofSeconds(30))
        .until(() -> endsWith(states(), wanted));
  }

  private static boolean endsWith(List<ConnectionState> all, List<ConnectionState> end) {
    return all.size() >= end.size() && all.subList(all.size() - end.size(), all.size()).equals(end);
  }
}
