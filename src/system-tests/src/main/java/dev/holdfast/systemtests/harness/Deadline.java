package dev.holdfast.systemtests.harness;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** A point on the monotonic clock until which something outside this process is awaited. */
final class Deadline {
  private static final long POLL_NANOS = 20_000_000; // 20 ms: finer than any start that is awaited

  private final Duration limit;
  private final long nanos;

  private Deadline(Duration limit) {
    this.limit = limit;
    this.nanos = System.nanoTime() + limit.toNanos();
  }

  static Deadline after(Duration limit) {
    return new Deadline(limit);
  }

  boolean hasPassed() {
    return System.nanoTime() - nanos >= 0;
  }

  /** Returns the time left, in milliseconds, at least 1. */
  long remainingMillis() {
    return Math.max(1, (nanos - System.nanoTime()) / 1_000_000);
  }

  /**
   * Waits until {@code condition} holds, asking again and again.
   *
   * @return whether it held before the deadline
   */
  boolean await(BooleanSupplier condition) {
    while (!condition.getAsBoolean()) {
      if (hasPassed() || Thread.currentThread().isInterrupted()) {
        return false;
      }
      LockSupport.parkNanos(POLL_NANOS);
    }
    return true;
  }

  @Override
  public String toString() {
    return limit.toSeconds() + " s";
  }
}
