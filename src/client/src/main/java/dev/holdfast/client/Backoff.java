package dev.holdfast.client;

import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * How long a connection waits before it tries again: a random time from zero to a ceiling that
 * grows with every attempt (full jitter), on top of what the gateway asked for.
 *
 * @param initial the first ceiling; 1 ms to 10 min
 * @param multiplier by how much the ceiling grows with every attempt; 1 to 10
 * @param cap the greatest ceiling; at least {@code initial}, at most 1 h
 * @param stableAfter how long an identity must have been held for the ceiling to fall back to
 *     {@code initial}; zero to 1 h. Two programs that keep taking an identity from each other never
 *     hold it that long, so they slow down
 */
public record Backoff(Duration initial, double multiplier, Duration cap, Duration stableAfter) {

  /** 1 s, times 1.6, up to 2 min; starts anew after 30 s, the gateway's usual lock TTL. */
  public static final Backoff DEFAULT =
      new Backoff(Duration.ofSeconds(1), 1.6, Duration.ofMinutes(2), Duration.ofSeconds(30));

  /** Checks the ranges. */
  public Backoff {
    Check.inRange("initial", initial, Duration.ofMillis(1), Duration.ofMinutes(10));
    Check.inRange("cap", cap, initial, Duration.ofHours(1));
    Check.inRange("stableAfter", stableAfter, Duration.ZERO, Duration.ofHours(1));
    if (!(multiplier >= 1 && multiplier <= 10)) {
      throw new IllegalArgumentException("multiplier must be from 1 to 10 but is " + multiplier);
    }
  }

  /** The longest wait before retry number {@code attempt}, counted from 0. */
  Duration ceiling(int attempt) {
    double nanos = initial.toNanos() * Math.pow(multiplier, attempt);
    return nanos >= cap.toNanos() ? cap : Duration.ofNanos((long) nanos);
  }

  /** A wait drawn evenly from zero to the ceiling. */
  Duration jittered(int attempt, RandomGenerator random) {
    return Duration.ofNanos((long) (random.nextDouble() * ceiling(attempt).toNanos()));
  }
}
