package dev.holdfast.gateway.lock;

import java.time.Duration;
import java.util.Optional;

/** What became of an {@link AcquireRequest}. */
public sealed interface AcquireResult {
  /**
   * The identity is held.
   *
   * @param lock what Redis holds now
   * @param superseded the lock that was taken over by a resume, in whose place this one stands
   */
  record Acquired(LockRecord lock, Optional<LockRecord> superseded) implements AcquireResult {
    public boolean resumed() {
      return superseded.isPresent();
    }
  }

  /**
   * Another connection holds the identity.
   *
   * @param holder who holds it
   * @param remaining how long the lock lasts if nobody refreshes it
   */
  record Refused(LockRecord holder, Duration remaining) implements AcquireResult {}
}
