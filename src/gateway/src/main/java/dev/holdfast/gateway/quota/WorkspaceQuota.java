package dev.holdfast.gateway.quota;

import dev.holdfast.gateway.identity.ConnectionId;
import dev.holdfast.gateway.identity.Identity;

/** Counts the connections of a workspace. Thread-safe; must not block. */
@FunctionalInterface
public interface WorkspaceQuota {
  /**
   * Gives back the place that {@code session} took. Called once for each session that held an
   * identity; a session that took no place is ignored.
   */
  void release(Identity identity, ConnectionId session);
}
