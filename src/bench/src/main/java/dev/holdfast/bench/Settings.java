package dev.holdfast.bench;

import java.time.Duration;
import java.util.List;

/**
 * How a benchmark is run.
 *
 * @param runs measured runs of each side, at least 1
 * @param warmups runs of each side before the measured ones, not counted
 * @param count repetitions inside one run; 0 for the benchmark's own default
 * @param limit the longest wait for a single event
 * @param gateways addresses of running gateways to measure; empty to start some
 * @param apiKey for {@code gateways}
 */
record Settings(
    int runs, int warmups, int count, Duration limit, List<String> gateways, String apiKey) {
  Settings {
    if (runs < 1 || warmups < 0 || count < 0) {
      throw new IllegalArgumentException(
          "runs (%d) must be at least 1, warm-ups (%d) and count (%d) not negative"
              .formatted(runs, warmups, count));
    }
    gateways = List.copyOf(gateways);
  }

  /** The repetitions inside one run. */
  int countOr(int defaultCount) {
    return (count == 0) ? defaultCount : count;
  }

  /** Does not show the API key. */
  @Override
  public String toString() {
    return "runs=%d warm-ups=%d count=%d limit=%s gateways=%s"
        .formatted(runs, warmups, count, limit, gateways);
  }
}
