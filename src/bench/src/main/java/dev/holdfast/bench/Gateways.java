package dev.holdfast.bench;

import java.util.List;

/**
 * The gateways under measurement.
 *
 * @param targets at least one
 */
record Gateways(List<Target> targets) implements AutoCloseable {
  Gateways {
    targets = List.copyOf(targets);
  }

  /**
   * The gateways that {@code settings} name.
   *
   * @param count how many are needed
   */
  static Gateways open(Settings settings, int count) {
    if (settings.gateways().size() < count) {
      throw new BenchmarkException(
          "this benchmark needs %d running gateways of one deployment, but --gateway names %d"
              .formatted(count, settings.gateways().size()));
    }
    return new Gateways(
        settings.gateways().stream()
            .map(address -> new Target(address, settings.apiKey()))
            .toList());
  }

  /** The {@code index}th gateway, from 0. */
  Target get(int index) {
    return targets.get(index);
  }

  /** Leaves gateways running that were running before. */
  @Override
  public void close() {}
}
