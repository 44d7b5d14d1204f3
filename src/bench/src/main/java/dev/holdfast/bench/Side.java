package dev.holdfast.bench;

/** One of the two programs that a benchmark compares. */
@FunctionalInterface
interface Side {
  /**
   * Does the measured work once.
   *
   * @param label unique among all runs of both sides
   * @throws BenchmarkException if the work failed or took too long
   */
  Score run(String label);
}
