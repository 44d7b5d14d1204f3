package dev.holdfast.gateway.telemetry;

import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * Where the core records what happens. Handles are resolved once, at construction, so that
 * recording neither looks up nor allocates.
 *
 * <p>Thread-safe.
 */
public interface Meters {
  /**
   * Resolves a counter.
   *
   * @param tagValue the value of the meter's one tag; empty if it has none
   */
  Counter counter(Meter meter, String tagValue);

  /** Resolves a distribution of durations. */
  Timer timer(Meter meter);

  /** Resolves a distribution of sizes. */
  Distribution distribution(Meter meter);

  /** Registers a gauge; {@code value} is read at each scrape and must not block. */
  void gauge(Meter meter, LongSupplier value);

  /** Counts. */
  interface Counter {
    void add(long amount);
  }

  /** Records durations. */
  interface Timer {
    void record(Duration duration);
  }

  /** Records sizes. */
  interface Distribution {
    void record(long size);
  }
}
