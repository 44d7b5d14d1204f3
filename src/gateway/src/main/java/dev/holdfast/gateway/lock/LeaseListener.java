package dev.holdfast.gateway.lock;

import java.time.Duration;

/**
 * Hears what becomes of one lease.
 *
 * <p>Called outside any lock, on a thread that must not be blocked, never concurrently for one
 * lease. {@link #leaseLost} is the last call.
 */
public interface LeaseListener {
  /** The lock could not be refreshed; the lease still runs for {@code remaining}. */
  void leaseSuspect(Duration remaining, String cause);

  /** The lock was refreshed again after {@link #leaseSuspect}. */
  void leaseHeld(Duration remaining);

  /** The identity is no longer held. */
  void leaseLost(LossCause cause);
}
