package dev.holdfast.systemtests.harness;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * What is still to be closed when this JVM ends early, such as by Ctrl-C; closed in the reverse of
 * the order of opening. Thread-safe.
 */
final class AtExit {
  private static final Deque<AutoCloseable> OPEN = new ArrayDeque<>();

  static {
    Runtime.getRuntime().addShutdownHook(new Thread(AtExit::closeAll, "close-at-exit"));
  }

  private AtExit() {}

  static void add(AutoCloseable resource) {
    synchronized (OPEN) {
      OPEN.push(resource);
    }
  }

  /** Forgets {@code resource}, which has been closed. */
  static void remove(AutoCloseable resource) {
    synchronized (OPEN) {
      OPEN.remove(resource);
    }
  }

  private static void closeAll() {
    List<AutoCloseable> left;
    synchronized (OPEN) {
      left = new ArrayList<>(OPEN);
    }
    for (AutoCloseable resource : left) {
      try {
        resource.close();
      } catch (Exception e) {
        System.err.println("not closed at exit: " + e);
      }
    }
  }
}
