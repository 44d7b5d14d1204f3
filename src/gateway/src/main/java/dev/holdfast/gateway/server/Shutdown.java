package dev.holdfast.gateway.server;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.LongSupplier;

/**
 * What must be stopped, in which order, within one deadline.
 *
 * <p>Steps run on the caller's thread, so that a stop needs no executor that may be gone by then. A
 * step that fails or runs out of time is logged by its name, and the next one runs. Not
 * thread-safe: start and stop of the gateway follow one another.
 */
final class Shutdown {
  private final LongSupplier tickerNanos;
  private final Deque<NamedStep> steps = new ArrayDeque<>();

  Shutdown(LongSupplier tickerNanos) {
    this.tickerNanos = tickerNanos;
  }

  /** Adds a step, to run before all that were added so far. */
  void first(String name, Step step) {
    steps.push(new NamedStep(name, step));
  }

  /**
   * Runs every step once; a second call finds none.
   *
   * @return how many were abandoned
   */
  int run(Duration timeout) {
    long startNanos = tickerNanos.getAsLong();
    int failed = 0;
    while (!steps.isEmpty()) {
      NamedStep step = steps.pop();
      Duration spent = Duration.ofNanos(tickerNanos.getAsLong() - startNanos);
      Duration remaining = timeout.minus(spent);
      failed += step.run(remaining.isNegative() ? Duration.ZERO : remaining) ? 0 : 1;
    }
    return failed;
  }

  /** Stops one part of the gateway. */
  interface Step {
    /**
     * Stops it.
     *
     * @param remaining how long that may take; zero: at once, whatever is lost
     */
    void stop(Duration remaining) throws Exception;
  }

  private record NamedStep(String name, Step step) {
    boolean run(Duration remaining) {
      try {
        step.stop(remaining);
        return true;
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        ServerLog.stepAbandoned(name, e);
      } catch (Exception e) { // The next step must run whatever happened to this one.
        ServerLog.stepAbandoned(name, e);
      }
      return false;
    }
  }
}
