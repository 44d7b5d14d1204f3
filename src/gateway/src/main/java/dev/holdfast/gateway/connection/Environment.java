package dev.holdfast.gateway.connection;

import java.security.SecureRandom;
import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * What connections take from their surroundings: timers, clocks and randomness.
 *
 * @param ticker monotonic, in nanoseconds
 * @param wallClock for display only
 */
public record Environment(
    ScheduledExecutorService timers,
    LongSupplier ticker,
    InstantSource wallClock,
    SecureRandom random) {
  /** Runs {@code task} after {@code delay}, unless the returned timer is cancelled before. */
  Future<?> after(Duration delay, Runnable task) {
    return timers.schedule(task, delay.toNanos(), TimeUnit.NANOSECONDS);
  }

  long nanos() {
    return ticker.getAsLong();
  }

  Duration since(long startNanos) {
    return Duration.ofNanos(ticker.getAsLong() - startNanos);
  }
}
