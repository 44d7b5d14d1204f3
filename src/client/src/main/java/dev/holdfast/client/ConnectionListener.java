package dev.holdfast.client;

import java.time.Duration;

/**
 * Hears what happens on one connection.
 *
 * <p>Calls come one at a time and in order, on a thread of the client's executor, never under a
 * lock: a listener may call every method of the connection, and may block. While it blocks, the
 * calls that follow wait, and the gateway stops sending messages once the inbox is full; other
 * connections aren't touched. What a listener throws is logged and otherwise ignored.
 */
public interface ConnectionListener {
  /** Hears nothing. */
  ConnectionListener NONE = new ConnectionListener() {};

  /** The connection changed its state. The first change is from CONNECTING to HELD. */
  default void onStateChange(Connection connection, StateChange change) {}

  /** A message arrived. When this returns, its place in the inbox is free again. */
  default void onMessage(Connection connection, ReceivedMessage message) {}

  /**
   * A message was dropped because its sender's fencing token is lower than {@code newestToken},
   * which an earlier message of the same sender carried: its sender no longer holds that identity.
   */
  default void onStaleMessage(Connection connection, ReceivedMessage message, long newestToken) {}

  /** The gateway will end the stream soon; the connection will try again after that. */
  default void onGoingAway(Connection connection, String reason) {}

  /** The connection will try to acquire its identity after {@code delay}, because of a failure. */
  default void onRetry(Principal principal, Duration delay, HoldfastException cause) {}
}
