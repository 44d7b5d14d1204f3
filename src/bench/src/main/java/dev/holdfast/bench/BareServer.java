package dev.holdfast.bench;

import io.grpc.netty.NettyServerBuilder;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * The rival: grpc-java's own Netty server and nothing around it, in a JVM of its own. Like the
 * gateway, it runs calls on Netty's event loops, which is the faster way. Arguments: {@code PORT}.
 */
final class BareServer {
  private static final int START_TRIES = 60;
  private static final Duration ONE_TRY = Duration.ofSeconds(1);

  private BareServer() {}

  /** Serves until the measuring process ends. */
  public static void main(String[] args) throws IOException, InterruptedException {
    Reporter reporter = Reporter.connect();
    InetAddress loopback = InetAddress.getLoopbackAddress();
    NettyServerBuilder.forAddress(new InetSocketAddress(loopback, Integer.parseInt(args[0])))
        .directExecutor()
        .addService(new BareConnectionService(reporter))
        .addService(new ProbeService(reporter))
        .build()
        .start();
    reporter.report("listening", args[0]);
    Thread.currentThread().join();
  }

  /** Starts the server in a JVM of its own; it serves when {@link #awaitReady} returns. */
  static ChildProcess start(Reports reports, int port) {
    return ChildProcess.java(
        BareServer.class, List.of(reports.jvmArgument()), Map.of(), Integer.toString(port));
  }

  /** Waits until {@code server} listens on {@code port}. */
  static void awaitReady(ChildProcess server, Reports reports, int port) {
    for (int i = 0; i < START_TRIES; i++) {
      server.requireAlive();
      if (reports.find("listening", Integer.toString(port), ONE_TRY).isPresent()) {
        return;
      }
    }
    throw new BenchmarkException("the bare server did not listen on port " + port);
  }
}
