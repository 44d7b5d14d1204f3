package dev.holdfast.bench;

import io.grpc.ClientCall;
import io.grpc.ManagedChannel;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/**
 * A running server of {@link ProbeService}, and the ways in which a client's stream can end.
 *
 * @param name for the table
 * @param address host and port
 * @param server its process
 * @param reports where the server reports
 */
record Transport(String name, String address, ChildProcess server, Reports reports) {
  private static final Duration START_LIMIT = Duration.ofMinutes(2);
  private static final Duration ONE_TRY = Duration.ofSeconds(2);
  private static final Duration HEAD_START = Duration.ofSeconds(1);

  /**
   * How soon the server was told.
   *
   * @param halfClose of the client's orderly end
   * @param cancel of the client's cancel
   * @param kill of the end of a client process by {@code kill -9}
   */
  record Ends(Told halfClose, Told cancel, Told kill) {}

  /** Waits until the server answers calls. */
  void awaitReady() {
    ManagedChannel channel = ProbeClient.channel(address);
    try {
      long startNanos = System.nanoTime();
      for (int i = 0; System.nanoTime() - startNanos < START_LIMIT.toNanos(); i++) {
        server.requireAlive();
        String id = name + "-ready-" + i;
        ClientCall<byte[], byte[]> call = ProbeClient.watch(channel, id);
        if (reports.find("opened", id, ONE_TRY).isPresent()) {
          call.halfClose();
          return;
        }
        call.cancel("not ready", null);
        channel.resetConnectBackoff();
      }
      throw new BenchmarkException(
          "%s did not answer within %d s".formatted(name, START_LIMIT.toSeconds()));
    } finally {
      channel.shutdown();
    }
  }

  /**
   * Opens three streams and ends each in its way.
   *
   * @param limit the longest wait for the server to be told
   */
  Ends measure(int run, Duration limit) {
    String id = name + '-' + run;
    ManagedChannel channel = ProbeClient.channel(address);
    try (ChildProcess killed = startClient(id + "-kill")) {
      ClientCall<byte[], byte[]> completed = open(channel, id + "-complete");
      ClientCall<byte[], byte[]> cancelled = open(channel, id + "-cancel");
      reports.await("opened", id + "-kill", START_LIMIT);
      long completedNanos = System.nanoTime();
      completed.halfClose();
      Told halfClose = told("half-closed", id + "-complete", completedNanos, limit);
      long killedNanos = killed.kill();
      // The cancel waits for the kill to be told, so that neither slows the other down.
      told("cancelled", id + "-kill", killedNanos, HEAD_START);
      long cancelledNanos = System.nanoTime();
      cancelled.cancel("measured", null);
      Told cancel = told("cancelled", id + "-cancel", cancelledNanos, limit);
      return new Ends(halfClose, cancel, told("cancelled", id + "-kill", killedNanos, limit));
    } finally {
      channel.shutdownNow();
    }
  }

  private ClientCall<byte[], byte[]> open(ManagedChannel channel, String id) {
    ClientCall<byte[], byte[]> call = ProbeClient.watch(channel, id);
    reports.await("opened", id, START_LIMIT);
    return call;
  }

  private ChildProcess startClient(String id) {
    return ChildProcess.java(
        ProbeClient.class, List.of(reports.jvmArgument()), Map.of(), address, id);
  }

  private Told told(String event, String id, long sinceNanos, Duration limit) {
    long leftNanos = Math.max(0, sinceNanos + limit.toNanos() - System.nanoTime());
    OptionalLong arrived = reports.find(event, id, Duration.ofNanos(leftNanos));
    return new Told(
        arrived.isPresent()
            ? OptionalLong.of(arrived.getAsLong() - sinceNanos)
            : OptionalLong.empty(),
        limit);
  }
}
