package dev.holdfast.systemtests.tour;

import java.io.PrintStream;
import java.util.List;

/** Runs the steps of a tour and tells what was expected and what happened. */
final class Guide {
  private final PrintStream out;

  Guide(PrintStream out) {
    this.out = out;
  }

  /**
   * Runs every step, also after one went wrong.
   *
   * @return how many went wrong
   */
  int run(List<Step> steps) {
    int wrong = 0;
    for (int i = 0; i < steps.size(); i++) {
      Step step = steps.get(i);
      out.printf("%nStep %d of %d: %s%n", i + 1, steps.size(), step.title());
      out.println("  expected: " + step.expectation());
      if (!isKept(step)) {
        wrong++;
      }
    }
    out.printf("%nThe tour: %d steps, %d went wrong.%n", steps.size(), wrong);
    return wrong;
  }

  private boolean isKept(Step step) {
    long begin = System.nanoTime();
    try {
      String happened = step.action().run();
      out.printf("  happened: %s (%d ms)%n", happened, (System.nanoTime() - begin) / 1_000_000);
      return true;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      out.println("  WRONG: interrupted");
      return false;
    } catch (Exception e) {
      out.println("  WRONG: " + e.getMessage());
      return false;
    }
  }
}
