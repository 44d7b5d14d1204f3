package dev.holdfast.gateway.testing;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.AbstractExecutorService;
import java.util.concurrent.Callable;
import java.util.concurrent.Delayed;
import java.util.concurrent.FutureTask;
import java.util.concurrent.PriorityBlockingQueue;
import java.util.concurrent.RunnableScheduledFuture;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/**
 * Time that moves only when a test moves it: a monotonic clock, a wall clock and a scheduler in
 * one.
 *
 * <p>Tasks never run inside {@code schedule} or {@code execute}; they run on the thread that calls
 * {@link #advance}.
 */
public final class FakeClock extends AbstractExecutorService implements ScheduledExecutorService {
  private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

  private final AtomicLong nanos = new AtomicLong();
  private final AtomicLong sequence = new AtomicLong();
  private final PriorityBlockingQueue<Task<?>> tasks =
      new PriorityBlockingQueue<>(
          11, Comparator.<Task<?>>comparingLong(t -> t.dueNanos).thenComparingLong(t -> t.order));
  private volatile boolean shutdown;

  /** Returns the monotonic clock, in nanoseconds. */
  public LongSupplier ticker() {
    return nanos::get;
  }

  /** Returns the wall clock. */
  public InstantSource wallClock() {
    return () -> START.plusNanos(nanos.get());
  }

  /** Moves time forward and runs, in order, what falls due. */
  public void advance(Duration amount) {
    long target = nanos.get() + amount.toNanos();
    for (Task<?> next = tasks.peek();
        next != null && next.dueNanos <= target;
        next = tasks.peek()) {
      tasks.remove(next);
      nanos.accumulateAndGet(next.dueNanos, Math::max);
      next.run();
    }
    nanos.set(target);
  }

  /** Returns how many tasks wait. */
  public int pendingTasks() {
    return tasks.size();
  }

  @Override
  public ScheduledFuture<?> schedule(Runnable command, long delay, TimeUnit unit) {
    return enqueue(new Task<>(() -> runAndReturnNull(command), delay, 0, unit));
  }

  @Override
  public <V> ScheduledFuture<V> schedule(Callable<V> callable, long delay, TimeUnit unit) {
    return enqueue(new Task<>(callable, delay, 0, unit));
  }

  @Override
  public ScheduledFuture<?> scheduleAtFixedRate(
      Runnable command, long initialDelay, long period, TimeUnit unit) {
    return enqueue(new Task<>(() -> runAndReturnNull(command), initialDelay, period, unit));
  }

  @Override
  public ScheduledFuture<?> scheduleWithFixedDelay(
      Runnable command, long initialDelay, long delay, TimeUnit unit) {
    return scheduleAtFixedRate(command, initialDelay, delay, unit);
  }

  @Override
  public void execute(Runnable command) {
    ScheduledFuture<?> unused = schedule(command, 0, TimeUnit.NANOSECONDS);
  }

  @Override
  public void shutdown() {
    shutdown = true;
  }

  @Override
  public List<Runnable> shutdownNow() {
    shutdown = true;
    List<Runnable> left = new ArrayList<>(tasks);
    tasks.clear();
    return left;
  }

  @Override
  public boolean isShutdown() {
    return shutdown;
  }

  @Override
  public boolean isTerminated() {
    return shutdown;
  }

  @Override
  public boolean awaitTermination(long timeout, TimeUnit unit) {
    return shutdown;
  }

  private static Object runAndReturnNull(Runnable command) {
    command.run();
    return command;
  }

  private <V> ScheduledFuture<V> enqueue(Task<V> task) {
    tasks.add(task);
    return task;
  }

  private final class Task<V> extends FutureTask<V> implements RunnableScheduledFuture<V> {
    private final long order = sequence.getAndIncrement();
    private final long periodNanos;
    private long dueNanos; // Published by the queue, which holds the task when others read it.

    Task(Callable<V> callable, long delay, long period, TimeUnit unit) {
      super(callable);
      this.dueNanos = nanos.get() + Math.max(0, unit.toNanos(delay));
      this.periodNanos = unit.toNanos(period);
    }

    @Override
    public void run() {
      if (!isPeriodic()) {
        super.run();
      } else if (runAndReset()) {
        dueNanos = dueNanos + periodNanos;
        tasks.add(this);
      }
    }

    @Override
    public boolean cancel(boolean mayInterruptIfRunning) {
      tasks.remove(this);
      return super.cancel(mayInterruptIfRunning);
    }

    @Override
    public boolean isPeriodic() {
      return periodNanos > 0;
    }

    @Override
    public long getDelay(TimeUnit unit) {
      return unit.convert(dueNanos - nanos.get(), TimeUnit.NANOSECONDS);
    }

    @Override
    public int compareTo(Delayed other) {
      return Long.compare(getDelay(TimeUnit.NANOSECONDS), other.getDelay(TimeUnit.NANOSECONDS));
    }

    @Override
    public boolean equals(Object other) {
      return this == other;
    }

    @Override
    public int hashCode() {
      return System.identityHashCode(this);
    }
  }
}
