package dev.holdfast.bench;

import dev.holdfast.systemtests.harness.GatewayProcess;
import dev.holdfast.systemtests.harness.RedisProcess;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.HdrHistogram.Histogram;

/**
 * From the start of the server process until it says that it is ready: a gateway against the same
 * server, with the same features and configuration, and an empty WAR.
 */
final class StartBenchmark implements Benchmark {
  private static final double NANOS_PER_SECOND = 1e9;

  @Override
  public double run(Settings settings, PrintStream out) {
    Path emptyWar = emptyWar();
    try (RedisProcess redis = RedisProcess.start()) {
      return new Comparison(
              "s to ready",
              label -> timed(gateway(redis)),
              label -> timed(gateway(redis).application(emptyWar)))
          .run(settings, out);
    } finally {
      delete(emptyWar);
    }
  }

  private static GatewayProcess.Builder gateway(RedisProcess redis) {
    return GatewayProcess.builder().set("holdfast.redis.url", redis.url());
  }

  private static Score timed(GatewayProcess.Builder server) {
    long begin = System.nanoTime();
    try (GatewayProcess started = server.start()) {
      long nanos = System.nanoTime() - begin;
      started.kill9(); // stopping in good order is not measured
      Histogram latencies = Comparison.histogram();
      latencies.recordValue(nanos / 1000);
      return new Score(nanos / NANOS_PER_SECOND, latencies);
    } catch (IllegalStateException e) {
      throw new BenchmarkException("a server did not start: " + e, e);
    }
  }

  private static Path emptyWar() {
    try {
      Path war = Files.createTempFile("empty-", ".war");
      try (ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(war))) {
        zip.putNextEntry(new ZipEntry("WEB-INF/"));
      }
      return war;
    } catch (IOException e) {
      throw new UncheckedIOException("cannot write an empty WAR", e);
    }
  }

  private static void delete(Path file) {
    try {
      Files.delete(file);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot delete " + file, e);
    }
  }
}
