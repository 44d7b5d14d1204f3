package dev.holdfast.bench;

import java.io.PrintStream;

/** A benchmark that one command runs from start to end. */
@FunctionalInterface
interface Benchmark {
  /**
   * Runs the benchmark and prints its table. Every process that it started has ended afterwards.
   *
   * @return the median ratio of Holdfast to its rival
   * @throws BenchmarkException if it could not be carried out
   */
  double run(Settings settings, PrintStream out);
}
