package dev.holdfast.client;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.PriorityQueue;
import java.util.concurrent.AbstractExecutorService;
import java.util.concurrent.Callable;
import java.util.concurrent.Delayed;
import java.util.concurrent.FutureTask;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;

/**
 * Time that moves only when a test says so, and the executor that lives by it: a task never runs
 * inside the call that hands it over. Single-threaded.
 */
final class FakeClock extends AbstractExecutorService implements ScheduledExecutorService {
  private static final long START_NANOS = Long.MAX_VALUE - 1_000; // soon overflows, as it may

  private final PriorityQueue<Task<?>> tasks = new PriorityQueue<>();
  private long elapsedNanos;
  private long created;

  long nanoTime() {
    return START_NANOS + elapsedNanos;
  }

  /** Runs what is due, and what becomes due by it. */
  void settle() {
    advance(Duration.ZERO);
  }

  /** Moves time, running every task at its time. */
  void advance(Duration by) {
    long end = elapsedNanos + by.toNanos();
    while (!tasks.isEmpty() && tasks.peek().dueNanos <= end) {
      Task<?> task = tasks.remove();
      elapsedNanos = Math.max(elapsedNanos, task.dueNanos);
      task.run();
    }
    elapsedNanos = end;
  }

  /** How long until each of the tasks that wait, soonest first. */
  List<Duration> pending() {
    List<Duration> delays = new ArrayList<>();
    tasks.stream()
        .filter(t -> !t.isCancelled())
        .sorted()
        .forEach(t -> delays.add(Duration.ofNanos(t.dueNanos - elapsedNanos)));
    return delays;
  }

  @Override
  public void execute(Runnable command) {
    tasks.add(new Task<Void>(command, 0));
  }

  @Override
  public ScheduledFuture<?> schedule(Runnable command, long delay, TimeUnit unit) {
    return add(new Task<>(command, unit.toNanos(delay)));
  }

  private <V> Task<V> add(Task<V> task) {
    tasks.add(task);
    return task;
  }

  @Override
  public <V> ScheduledFuture<V> schedule(Callable<V> callable, long delay, TimeUnit unit) {
    throw new UnsupportedOperationException();
  }

  @Override
  public ScheduledFuture<?> scheduleAtFixedRate(
      Runnable command, long initialDelay, long period, TimeUnit unit) {
    throw new UnsupportedOperationException();
  }

  @Override
  public ScheduledFuture<?> scheduleWithFixedDelay(
      Runnable command, long initialDelay, long delay, TimeUnit unit) {
    throw new UnsupportedOperationException();
  }

  @Override
  public void shutdown() {}

  @Override
  public List<Runnable> shutdownNow() {
    return List.of();
  }

  @Override
  public boolean isShutdown() {
    return false;
  }

  @Override
  public boolean isTerminated() {
    return false;
  }

  @Override
  public boolean awaitTermination(long timeout, TimeUnit unit) {
    return false;
  }

  private final class Task<V> extends FutureTask<V> implements ScheduledFuture<V> {
    private final long dueNanos;
    private final long order = created++;

    @SuppressWarnings("NullAway") // a task without a result has null for one
    Task(Runnable command, long delayNanos) {
      super(command, null);
      this.dueNanos = elapsedNanos + delayNanos;
    }

    @Override
    public long getDelay(TimeUnit unit) {
      return unit.convert(dueNanos - elapsedNanos, TimeUnit.NANOSECONDS);
    }

    @Override
    public int compareTo(Delayed other) {
      Task<?> that = (Task<?>) other;
      int byTime = Long.compare(dueNanos, that.dueNanos);
      return byTime != 0 ? byTime : Long.compare(order, that.order);
    }
  }
}
