package dev.holdfast.gateway.lock;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.TreeSet;

/**
 * The leases in the order in which they were going to expire when they were queued.
 *
 * <p>A refresh moves a lease's deadline but not its place here: it is put where it belongs when its
 * old place comes up. So a refresh round costs nothing here, and a lease costs one entry, not a
 * timer. Thread-safe.
 */
final class LeaseDeadlines {
  private final Object lock = new Object();

  @GuardedBy("lock")
  private final TreeSet<Lease> queue =
      new TreeSet<>(
          (a, b) ->
              a.queuedNanos() == b.queuedNanos()
                  ? Long.compare(a.serial(), b.serial())
                  : Long.signum(a.queuedNanos() - b.queuedNanos()));

  void add(Lease lease) {
    synchronized (lock) {
      lease.setQueuedNanos(lease.deadlineNanos());
      queue.add(lease);
    }
  }

  void remove(Lease lease) {
    synchronized (lock) {
      queue.remove(lease);
    }
  }

  /** Takes out the leases whose deadlines have passed. */
  List<Lease> takeExpired(long nowNanos) {
    List<Lease> expired = new ArrayList<>();
    synchronized (lock) {
      while (!queue.isEmpty() && queue.first().queuedNanos() - nowNanos <= 0) {
        Lease lease = queue.pollFirst();
        if (lease.deadlineNanos() - nowNanos <= 0) {
          expired.add(lease);
        } else {
          lease.setQueuedNanos(lease.deadlineNanos());
          queue.add(lease);
        }
      }
    }
    return expired;
  }

  /** Returns when to look again; empty if there are no leases. */
  OptionalLong nextNanos() {
    synchronized (lock) {
      return queue.isEmpty() ? OptionalLong.empty() : OptionalLong.of(queue.first().queuedNanos());
    }
  }
}
