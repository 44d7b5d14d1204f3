package dev.holdfast.bench;

import java.time.Duration;
import org.HdrHistogram.Histogram;

/** Kills holders, one after the other, and times what follows. For one thread. */
final class ReleaseLoad {
  private static final Duration START_LIMIT = Duration.ofSeconds(30);

  private final Reports reports;
  private final int kills;
  private final Duration limit;

  /**
   * @param kills holders killed in one run
   * @param limit for one identity to become free
   */
  ReleaseLoad(Reports reports, int kills, Duration limit) {
    this.reports = reports;
    this.kills = kills;
    this.limit = limit;
  }

  /** The rival: until a bare server has seen the cancel. */
  Score untilCancelSeen(Target target, String label) {
    return kill(target, label, id -> reports.await("cancelled", "agent/bench/" + id, limit));
  }

  /** Holdfast: until another client holds the identity through another gateway. */
  Score untilHeldAgain(Target holdersGateway, Target takersGateway, String label) {
    try (Taker taker = new Taker(takersGateway)) {
      return kill(holdersGateway, label, new Retake(taker, limit));
    }
  }

  private Score kill(Target target, String label, Outcome outcome) {
    Histogram micros = Comparison.histogram();
    for (int i = 0; i < kills; i++) {
      String id = label + '-' + i;
      try (ChildProcess holder = Holder.start(reports, target, id)) {
        reports.await("held", id, START_LIMIT);
        outcome.beforeKill(id);
        long killedNanos = holder.kill();
        micros.recordValue((outcome.await(id) - killedNanos) / 1000);
      }
    }
    return new Score(micros.getValueAtPercentile(50) / 1000.0, micros);
  }

  /** What a kill is to bring about. */
  @FunctionalInterface
  private interface Outcome {
    /** Makes sure that it has not come about yet. */
    default void beforeKill(String id) {}

    /** Waits for it and returns when it was seen, as {@link System#nanoTime()}. */
    long await(String id);
  }

  /** The identity is held by another. */
  private record Retake(Taker taker, Duration limit) implements Outcome {
    @Override
    public void beforeKill(String id) {
      if (taker.tryOnce(id).isPresent()) {
        throw new BenchmarkException("'%s' was held twice".formatted(id));
      }
    }

    @Override
    public long await(String id) {
      return taker.take(id, limit);
    }
  }
}
