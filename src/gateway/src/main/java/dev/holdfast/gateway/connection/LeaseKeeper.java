package dev.holdfast.gateway.connection;

import dev.holdfast.gateway.lock.LeaseListener;
import dev.holdfast.gateway.lock.LockKey;

/** Keeps held locks alive. Thread-safe; must not block. */
@FunctionalInterface
public interface LeaseKeeper {
  /**
   * Refreshes {@code key} until the hold ends or the lease is lost.
   *
   * @param acquireSentNanos when the acquire was sent, on the gateway's monotonic clock: the lease
   *     runs from then
   */
  Hold hold(LockKey key, long acquireSentNanos, LeaseListener listener);

  /** One lock that is kept alive. */
  @FunctionalInterface
  interface Hold {
    /** Stops refreshing; no call of the listener begins after it. Idempotent. */
    void end();
  }
}
