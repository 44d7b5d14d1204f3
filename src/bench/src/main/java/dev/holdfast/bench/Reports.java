package dev.holdfast.bench;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * What the processes under measurement have reported, each event with the time at which it reached
 * this process. Counterpart of {@link Reporter}.
 *
 * <p>Thread-safe. {@link #close()} makes every reporting process end.
 */
final class Reports implements AutoCloseable {
  private final ConcurrentMap<String, CompletableFuture<Long>> arrivals = new ConcurrentHashMap<>();
  private final List<Socket> reporters = new CopyOnWriteArrayList<>();
  private final ServerSocket listener;

  /** Starts to listen on a free loopback port. */
  Reports() {
    try {
      listener = new ServerSocket(0, 64, InetAddress.getLoopbackAddress());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    daemon(this::accept);
  }

  /** The JVM argument that lets a process report here. */
  String jvmArgument() {
    return "-D" + Reporter.PORT_PROPERTY + "=" + listener.getLocalPort();
  }

  /**
   * Waits for an event, or finds it already arrived.
   *
   * @return when it arrived, as {@link System#nanoTime()}; empty if not within {@code limit}
   */
  OptionalLong find(String event, String id, Duration limit) {
    try {
      return OptionalLong.of(arrival(event + ' ' + id).get(limit.toNanos(), TimeUnit.NANOSECONDS));
    } catch (TimeoutException e) {
      return OptionalLong.empty();
    } catch (ExecutionException e) {
      throw new IllegalStateException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new BenchmarkException("interrupted while waiting for '" + event + ' ' + id + "'", e);
    }
  }

  /**
   * Waits for an event that must come.
   *
   * @return when it arrived, as {@link System#nanoTime()}
   * @throws BenchmarkException if it did not arrive within {@code limit}
   */
  long await(String event, String id, Duration limit) {
    return find(event, id, limit)
        .orElseThrow(
            () ->
                new BenchmarkException(
                    "no report '%s %s' within %d s".formatted(event, id, limit.toSeconds())));
  }

  @Override
  public void close() {
    try {
      listener.close();
      for (Socket reporter : reporters) {
        reporter.close();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private CompletableFuture<Long> arrival(String line) {
    return arrivals.computeIfAbsent(line, key -> new CompletableFuture<>());
  }

  private void accept() {
    try {
      while (true) {
        Socket reporter = listener.accept();
        reporters.add(reporter);
        daemon(() -> read(reporter));
      }
    } catch (IOException e) {
      // Closed: the benchmark is over.
    }
  }

  private void read(Socket reporter) {
    try (BufferedReader lines =
        new BufferedReader(
            new InputStreamReader(reporter.getInputStream(), StandardCharsets.UTF_8))) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        arrival(line).complete(System.nanoTime());
      }
    } catch (IOException e) {
      // The process was killed, or the benchmark is over.
    }
  }

  private static void daemon(Runnable task) {
    Thread thread = new Thread(task, "bench-reports");
    thread.setDaemon(true);
    thread.start();
  }
}
