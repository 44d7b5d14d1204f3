package dev.holdfast.bench;

import java.io.PrintStream;
import java.util.Arrays;
import org.HdrHistogram.Histogram;

/**
 * Runs Holdfast and its rival in turn and compares them run by run, so that whatever else the
 * machine does meets both alike.
 */
final class Comparison {
  private static final double MICROS_PER_MILLI = 1000;

  private final String unit;
  private final Side holdfast;
  private final Side rival;
  private final Histogram holdfastLatencies = histogram();
  private final Histogram rivalLatencies = histogram();

  /**
   * @param unit of the scores, such as {@code streams/s}
   */
  Comparison(String unit, Side holdfast, Side rival) {
    this.unit = unit;
    this.holdfast = holdfast;
    this.rival = rival;
  }

  /** A histogram of microseconds up to ten minutes. */
  static Histogram histogram() {
    return new Histogram(600_000_000L, 3);
  }

  /**
   * Runs both sides as {@code settings} says and prints the table.
   *
   * @return the median of the runs' ratios, Holdfast to rival
   */
  double run(Settings settings, PrintStream out) {
    for (int i = 1; i <= settings.warmups(); i++) {
      holdfast.run("holdfast-warmup-" + i);
      rival.run("bare-warmup-" + i);
    }
    double[] ratios = new double[settings.runs()];
    double[] ours = new double[settings.runs()];
    double[] theirs = new double[settings.runs()];
    out.printf("%8s %20s %20s %8s%n", "run", "holdfast " + unit, "bare " + unit, "ratio");
    for (int i = 0; i < settings.runs(); i++) {
      ours[i] = measure(holdfast, "holdfast-" + i, holdfastLatencies);
      theirs[i] = measure(rival, "bare-" + i, rivalLatencies);
      ratios[i] = ours[i] / theirs[i];
      row(out, Integer.toString(i + 1), ours[i], theirs[i], ratios[i]);
    }
    row(out, "median", median(ours), median(theirs), median(ratios));
    latencies(out, "holdfast", holdfastLatencies);
    latencies(out, "bare", rivalLatencies);
    return median(ratios);
  }

  /** The middle value, or the mean of the two in the middle. */
  static double median(double[] values) {
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    int middle = sorted.length / 2;
    return (sorted.length % 2 == 1) ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
  }

  private static double measure(Side side, String label, Histogram all) {
    Score score = side.run(label);
    all.add(score.latencies());
    return score.value();
  }

  private static void row(PrintStream out, String run, double ours, double theirs, double ratio) {
    out.printf("%8s %20.2f %20.2f %8.3f%n", run, ours, theirs, ratio);
  }

  private static void latencies(PrintStream out, String side, Histogram latencies) {
    out.printf(
        "%8s p50 %.3f ms, p99 %.3f ms, max %.3f ms, of %d%n",
        side,
        latencies.getValueAtPercentile(50) / MICROS_PER_MILLI,
        latencies.getValueAtPercentile(99) / MICROS_PER_MILLI,
        latencies.getMaxValue() / MICROS_PER_MILLI,
        latencies.getTotalCount());
  }
}
