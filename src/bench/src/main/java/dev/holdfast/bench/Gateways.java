package dev.holdfast.bench;

import dev.holdfast.systemtests.harness.GatewayProcess;
import dev.holdfast.systemtests.harness.RedisProcess;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** The gateways under measurement: those that run already, or some of our own. */
final class Gateways implements AutoCloseable {
  private final List<Target> targets;
  private final Runnable stop;

  private Gateways(List<Target> targets, Runnable stop) {
    this.targets = List.copyOf(targets);
    this.stop = stop;
  }

  /**
   * The gateways that {@code settings} name; if they name none, {@code count} new ones that share a
   * new Redis.
   */
  static Gateways open(Settings settings, int count) {
    List<String> given = settings.gateways();
    if (given.isEmpty()) {
      return start(count);
    }
    if (given.size() < count) {
      throw new BenchmarkException(
          "this benchmark needs %d gateways of one deployment, but --gateway names %d"
              .formatted(count, given.size()));
    }
    return new Gateways(targets(given.stream(), settings.apiKey()), () -> {});
  }

  /** The {@code index}th gateway, from 0. */
  Target get(int index) {
    return targets.get(index);
  }

  /** Stops what {@link #open} started. */
  @Override
  public void close() {
    stop.run();
  }

  private static Gateways start(int count) {
    RedisProcess redis = RedisProcess.start();
    TrialKey key = TrialKey.create("agent/bench/**");
    List<GatewayProcess> processes = new ArrayList<>();
    Runnable stop = () -> stop(processes, redis, key);
    try {
      for (int i = 0; i < count; i++) {
        processes.add(launch(redis, key));
      }
      GatewayProcess.awaitReady(processes);
    } catch (IllegalStateException e) {
      stop.run();
      throw new BenchmarkException(e.getMessage(), e);
    }
    Stream<String> addresses = processes.stream().map(GatewayProcess::grpcTarget);
    return new Gateways(targets(addresses, key.key()), stop);
  }

  private static GatewayProcess launch(RedisProcess redis, TrialKey key) {
    return GatewayProcess.builder()
        .set("holdfast.redis.url", redis.url())
        .set("holdfast.access.key-file", key.file().toString())
        .launch();
  }

  private static void stop(List<GatewayProcess> processes, RedisProcess redis, TrialKey key) {
    processes.forEach(GatewayProcess::close);
    redis.close();
    key.close();
  }

  private static List<Target> targets(Stream<String> addresses, String apiKey) {
    return addresses.map(address -> new Target(address, apiKey)).toList();
  }
}
