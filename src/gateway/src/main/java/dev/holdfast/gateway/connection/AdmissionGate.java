package dev.holdfast.gateway.connection;

import java.util.concurrent.atomic.AtomicLong;

/**
 * Counts the connections that a gateway has, up to a limit, until it is shut.
 *
 * <p>Thread-safe: count and gate are one word, so no place is given after {@link #shut}.
 */
final class AdmissionGate {
  /** What became of a request for a place. */
  enum Verdict {
    ADMITTED,
    FULL,
    SHUT
  }

  private static final long SHUT_BIT = 1L << 62;

  private final AtomicLong word = new AtomicLong();
  private final int limit;

  AdmissionGate(int limit) {
    this.limit = limit;
  }

  Verdict enter() {
    while (true) {
      long seen = word.get();
      if ((seen & SHUT_BIT) != 0) {
        return Verdict.SHUT;
      }
      if (seen >= limit) {
        return Verdict.FULL;
      }
      if (word.compareAndSet(seen, seen + 1)) {
        return Verdict.ADMITTED;
      }
    }
  }

  /** Gives back the place of one that was admitted. */
  void leave() {
    word.decrementAndGet();
  }

  /** Admits nobody from now on; returns whether it was open. */
  boolean shut() {
    return (word.getAndUpdate(seen -> seen | SHUT_BIT) & SHUT_BIT) == 0;
  }

  boolean isShut() {
    return (word.get() & SHUT_BIT) != 0;
  }

  /** Returns how many are inside. */
  int count() {
    return (int) (word.get() & ~SHUT_BIT);
  }
}
