package dev.holdfast.bench;

import java.io.PrintStream;

/** The benchmarks that compare gateways with a bare grpc-netty server. */
final class Comparisons {
  private static final int STREAMS = 30_000;
  private static final int ROUND_TRIPS = 5_000;
  private static final int KILLS = 20;

  private Comparisons() {}

  /** Streams opened per second. */
  static double connect(Settings settings, PrintStream out) {
    int streams = settings.countOr(STREAMS);
    return compare(
        settings,
        out,
        "streams/s",
        (target, label) -> ConnectLoad.run(target, label, streams, settings.limit()));
  }

  /** Round trip from identity to identity, p50. */
  static double message(Settings settings, PrintStream out) {
    int roundTrips = settings.countOr(ROUND_TRIPS);
    return compare(
        settings,
        out,
        "p50 us",
        (target, label) -> MessageLoad.run(target, label, roundTrips, settings.limit()));
  }

  /** From {@code kill -9} of a client until its identity is held by another, p50. */
  static double release(Settings settings, PrintStream out) {
    int port = ChildProcess.freePort();
    try (Gateways gateways = Gateways.open(settings, 2);
        Reports reports = new Reports();
        ChildProcess server = BareServer.start(reports, port)) {
      BareServer.awaitReady(server, reports, port);
      ReleaseLoad load = new ReleaseLoad(reports, settings.countOr(KILLS), settings.limit());
      return new Comparison(
              "p50 ms",
              label -> load.untilHeldAgain(gateways.get(0), gateways.get(1), label),
              label -> load.untilCancelSeen(Target.bare(port), label))
          .run(settings, out);
    }
  }

  private static double compare(Settings settings, PrintStream out, String unit, Load load) {
    int port = ChildProcess.freePort();
    try (Gateways gateways = Gateways.open(settings, 1);
        Reports reports = new Reports();
        ChildProcess server = BareServer.start(reports, port)) {
      BareServer.awaitReady(server, reports, port);
      return new Comparison(
              unit,
              label -> load.run(gateways.get(0), label),
              label -> load.run(Target.bare(port), label))
          .run(settings, out);
    }
  }

  /** The same work for either side. */
  @FunctionalInterface
  private interface Load {
    Score run(Target target, String label);
  }
}
