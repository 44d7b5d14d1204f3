package dev.holdfast.bench;

import dev.holdfast.bench.Transport.Ends;
import java.io.PrintStream;
import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * How soon a server is told of the end of a client's stream: grpc-java's Netty transport against
 * Open Liberty's {@code grpc-1.0}, with the same service. A half-close is timed as well, to show
 * that the service reports at all.
 *
 * <p>The ratio is that of the times after {@code kill -9}, Netty to {@code grpc-1.0}; a server that
 * is never told counts with the limit, so that the ratio is then an upper bound.
 */
final class TransportBenchmark implements Benchmark {
  @Override
  public double run(Settings settings, PrintStream out) {
    int nettyPort = ChildProcess.freePort();
    int libertyPort = ChildProcess.freePort();
    try (Reports reports = new Reports();
        ChildProcess liberty = LibertyProbe.start(reports, libertyPort);
        ChildProcess netty = BareServer.start(reports, nettyPort)) {
      List<Transport> transports =
          List.of(
              new Transport("netty", "127.0.0.1:" + nettyPort, netty, reports),
              new Transport("grpc-1.0", "127.0.0.1:" + libertyPort, liberty, reports));
      transports.forEach(Transport::awaitReady);
      return alternate(transports, settings, out);
    }
  }

  private static double alternate(List<Transport> sides, Settings settings, PrintStream out) {
    out.printf(
        "The server is told after … ms (Open Liberty %s, %d cores, Java %d)%n",
        LibertyProbe.version(),
        Runtime.getRuntime().availableProcessors(),
        Runtime.version().feature());
    out.printf("%8s %10s %20s %20s %20s%n", "run", "transport", "half-close", "cancel", "kill -9");
    sides.get(0).measure(0, settings.limit());
    Ends[] netty = new Ends[settings.runs()];
    Ends[] liberty = new Ends[settings.runs()];
    for (int i = 0; i < settings.runs(); i++) {
      netty[i] = measure(sides.get(0), i + 1, settings, out);
      liberty[i] = measure(sides.get(1), i + 1, settings, out);
    }
    medians(out, sides.get(0).name(), netty);
    medians(out, sides.get(1).name(), liberty);
    return median(netty, ends -> ends.kill().millis())
        / median(liberty, ends -> ends.kill().millis());
  }

  private static Ends measure(Transport side, int run, Settings settings, PrintStream out) {
    Ends ends = side.measure(run, settings.limit());
    row(out, Integer.toString(run), side.name(), ends);
    return ends;
  }

  private static void row(PrintStream out, String run, String transport, Ends ends) {
    out.printf(
        "%8s %10s %20s %20s %20s%n", run, transport, ends.halfClose(), ends.cancel(), ends.kill());
  }

  private static void medians(PrintStream out, String transport, Ends[] ends) {
    out.printf(
        "%8s %10s %20.1f %20.1f %20.1f%n",
        "median",
        transport,
        median(ends, end -> end.halfClose().millis()),
        median(ends, end -> end.cancel().millis()),
        median(ends, end -> end.kill().millis()));
  }

  private static double median(Ends[] ends, ToDoubleFunction<Ends> millis) {
    double[] values = new double[ends.length];
    for (int i = 0; i < values.length; i++) {
      values[i] = millis.applyAsDouble(ends[i]);
    }
    return Comparison.median(values);
  }
}
