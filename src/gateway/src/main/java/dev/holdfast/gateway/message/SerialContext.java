package dev.holdfast.gateway.message;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/**
 * Runs tasks one at a time, in the order of {@link #execute}, on the thread of whoever finds it
 * idle.
 *
 * <p>What one task wrote, the next one sees. A task that calls {@link #execute} does not run the
 * new task inside itself. No lock is held while a task runs, so a task may call anything that does
 * not block.
 */
public final class SerialContext implements Executor {
  private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();
  private final AtomicInteger waiting = new AtomicInteger();
  private final Consumer<RuntimeException> onDefect;

  /**
   * Makes an idle context.
   *
   * @param onDefect hears what a task threw; later tasks run all the same
   */
  public SerialContext(Consumer<RuntimeException> onDefect) {
    this.onDefect = onDefect;
  }

  @Override
  public void execute(Runnable task) {
    tasks.add(task);
    if (waiting.getAndIncrement() > 0) {
      return;
    }
    do {
      runNext();
    } while (waiting.decrementAndGet() > 0);
  }

  private void runNext() {
    Runnable task = tasks.poll();
    if (task == null) {
      throw new IllegalStateException("a counted task must be queued");
    }
    try {
      task.run();
    } catch (RuntimeException e) {
      onDefect.accept(e);
    }
  }
}
