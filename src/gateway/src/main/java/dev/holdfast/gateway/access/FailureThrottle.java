package dev.holdfast.gateway.access;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;

/**
 * Slows down whoever fails to authenticate: each failed attempt from an address is answered later
 * than the one before it.
 *
 * <p>What it remembers is bounded: the oldest addresses are forgotten first. Thread-safe, never
 * blocks.
 */
public final class FailureThrottle {
  /** The longest that an answer is held back. */
  public static final Duration MAX_DELAY = Duration.ofSeconds(5);

  /** How many answers to one address may be held back at the same time. */
  static final int MAX_PENDING = 16;

  private static final Duration FIRST_DELAY = Duration.ofMillis(100);
  private static final Duration MEMORY = Duration.ofMinutes(1);
  private static final int MAX_ADDRESSES = 10_000;
  private static final int MAX_DOUBLINGS = 6; // 100 ms << 6 is beyond MAX_DELAY.

  private final Cache<String, Failures> addresses;

  public FailureThrottle(LongSupplier tickerNanos) {
    this.addresses =
        Caffeine.newBuilder()
            .expireAfterAccess(MEMORY)
            .maximumSize(MAX_ADDRESSES)
            .ticker(tickerNanos::getAsLong)
            .executor(Runnable::run)
            .build();
  }

  /**
   * Counts a failed attempt.
   *
   * @return the answer to hold back; empty if as many are held back for this address as may be, so
   *     that this one is answered at once
   */
  public Optional<HeldAnswer> failed(String address) {
    return addresses.get(address, key -> new Failures()).hold();
  }

  /** The failed attempts from one address. */
  private static final class Failures {
    private final AtomicInteger count = new AtomicInteger();
    private final AtomicInteger pending = new AtomicInteger();

    Optional<HeldAnswer> hold() {
      int before = count.getAndUpdate(n -> Math.min(n + 1, MAX_DOUBLINGS));
      if (pending.incrementAndGet() > MAX_PENDING) {
        pending.decrementAndGet();
        return Optional.empty();
      }
      Duration delay = FIRST_DELAY.multipliedBy(1L << before);
      return Optional.of(
          new HeldAnswer(
              delay.compareTo(MAX_DELAY) < 0 ? delay : MAX_DELAY, pending::decrementAndGet));
    }
  }

  /**
   * An answer that is held back.
   *
   * @param delay how long
   * @param given to be run once, when the answer is given
   */
  public record HeldAnswer(Duration delay, Runnable given) {}
}
