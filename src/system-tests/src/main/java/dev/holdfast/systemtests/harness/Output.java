package dev.holdfast.systemtests.harness;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/** The lines that a process has printed. Thread-safe. */
final class Output {
  private final List<String> lines = new ArrayList<>();
  private boolean ended;

  synchronized void add(String line) {
    lines.add(line);
    notifyAll();
  }

  synchronized void end() {
    ended = true;
    notifyAll();
  }

  synchronized List<String> lines() {
    return List.copyOf(lines);
  }

  /** Returns the first line that is {@code wanted}, or nothing if none comes in time. */
  synchronized Optional<String> await(Predicate<String> wanted, Deadline deadline) {
    try {
      int next = 0;
      while (true) {
        for (; next < lines.size(); next++) {
          if (wanted.test(lines.get(next))) {
            return Optional.of(lines.get(next));
          }
        }
        if (ended || deadline.hasPassed()) {
          return Optional.empty();
        }
        wait(deadline.remainingMillis());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return Optional.empty();
    }
  }
}
