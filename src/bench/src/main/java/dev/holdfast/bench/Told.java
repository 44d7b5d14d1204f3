package dev.holdfast.bench;

import java.time.Duration;
import java.util.OptionalLong;

/**
 * When a server was told of something.
 *
 * @param nanos after it happened; empty if not within {@code limit}
 * @param limit how long was waited
 */
record Told(OptionalLong nanos, Duration limit) {
  /** In milliseconds; the limit if the server was not told, which makes it a lower bound. */
  double millis() {
    return nanos.orElse(limit.toNanos()) / 1e6;
  }

  @Override
  public String toString() {
    return nanos.isPresent()
        ? "%.1f".formatted(millis())
        : "never within %d s".formatted(limit.toSeconds());
  }
}
