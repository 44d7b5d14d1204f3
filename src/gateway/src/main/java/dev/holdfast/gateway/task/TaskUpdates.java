package dev.holdfast.gateway.task;

import dev.holdfast.gateway.identity.ConnectionId;
import dev.holdfast.gateway.identity.Identity;

/** Hears that the principal behind a task went away. Thread-safe; must not block. */
@FunctionalInterface
public interface TaskUpdates {
  /**
   * Tells that {@code session} no longer holds {@code identity}.
   *
   * @param cause why, as the audit log names it
   */
  void disconnected(Identity identity, ConnectionId session, String cause);
}
