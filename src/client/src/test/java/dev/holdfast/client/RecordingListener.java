package dev.holdfast.client;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Remembers what it hears. */
class RecordingListener implements ConnectionListener {
  final List<StateChange> changes = new ArrayList<>();
  final List<ReceivedMessage> messages = new ArrayList<>();
  final List<String> stale = new ArrayList<>();
  final List<Duration> retries = new ArrayList<>();
  final List<String> goingAways = new ArrayList<>();

  @Override
  public void onStateChange(Connection connection, StateChange change) {
    changes.add(change);
  }

  @Override
  public void onMessage(Connection connection, ReceivedMessage message) {
    messages.add(message);
  }

  @Override
  public void onStaleMessage(Connection connection, ReceivedMessage message, long newestToken) {
    stale.add(message.correlationId() + " after " + newestToken);
  }

  @Override
  public void onGoingAway(Connection connection, String reason) {
    goingAways.add(reason);
  }

  @Override
  public void onRetry(Principal principal, Duration delay, HoldfastException cause) {
    retries.add(delay);
  }

  List<ConnectionState> states() {
    return changes.stream().map(StateChange::to).toList();
  }

  StateChange lastChange() {
    return changes.get(changes.size() - 1);
  }
}
