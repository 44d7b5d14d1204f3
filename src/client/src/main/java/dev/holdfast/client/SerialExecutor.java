package dev.holdfast.client;

import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.Executor;

/** Runs tasks one after another, in the order they came, on threads of another executor. */
final class SerialExecutor implements Executor {
  private final Executor threads;
  private final Queue<Runnable> tasks = new ArrayDeque<>(); // guarded by itself
  private boolean running; // guarded by tasks

  SerialExecutor(Executor threads) {
    this.threads = threads;
  }

  /** Queues a task, which must not throw. */
  @Override
  public void execute(Runnable task) {
    synchronized (tasks) {
      tasks.add(task);
      if (running) {
        return;
      }
      running = true;
    }
    threads.execute(this::drain);
  }

  private void drain() {
    while (true) {
      Runnable task;
      synchronized (tasks) {
        task = tasks.poll();
        if (task == null) {
          running = false;
          return;
        }
      }
      task.run();
    }
  }
}
