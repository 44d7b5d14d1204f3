package dev.holdfast.gateway.lock;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.LongSupplier;

/**
 * Gathers calls of one script into batches: while a batch is under way, what arrives waits and goes
 * into the next one. An idle lane sends at once, so batches grow with the load only.
 *
 * <p>Thread-safe. Never blocks.
 */
final class ScriptLane<I, O> {
  // Deadlines. All items have the same time limit, so they expire in the order of their arrival. A
  // batch has the deadline of its first item. Whatever waits arrived after every batch under way
  // was sent, so those batches end before it expires; it is then sent with the time that is left,
  // or failed if there is none. So every promise is kept in time with no timer besides the batch's.

  /** Sends a batch and keeps every promise in it by the deadline. */
  interface Sender<I, O> {
    /** Returns a stage that completes, in whatever way, after the last promise was kept. */
    CompletionStage<?> send(List<Pending<I, O>> batch, long deadlineNanos);
  }

  /** The limits of a lane. */
  record Limits(int batchSize, int batchesInFlight, Duration timeout) {}

  private final Sender<I, O> sender;
  private final Limits limits;
  private final LongSupplier ticker;
  private final Object lock = new Object();

  @GuardedBy("lock")
  private final ArrayDeque<Pending<I, O>> waiting = new ArrayDeque<>();

  @GuardedBy("lock")
  private int inFlight;

  ScriptLane(Sender<I, O> sender, Limits limits, LongSupplier ticker) {
    this.sender = sender;
    this.limits = limits;
    this.ticker = ticker;
  }

  /** Sends {@code item} now or in the next batch. */
  CompletionStage<O> submit(I item) {
    Pending<I, O> pending = new Pending<>(item, ticker.getAsLong() + limits.timeout().toNanos());
    synchronized (lock) {
      waiting.add(pending);
    }
    dispatch();
    return pending.promise();
  }

  private void dispatch() {
    for (List<Pending<I, O>> batch = next(); !batch.isEmpty(); batch = next()) {
      sender.send(batch, batch.get(0).deadlineNanos()).whenComplete((done, failure) -> finished());
    }
  }

  private List<Pending<I, O>> next() {
    synchronized (lock) {
      if (inFlight == limits.batchesInFlight() || waiting.isEmpty()) {
        return List.of();
      }
      inFlight++;
      int size = Math.min(waiting.size(), limits.batchSize());
      List<Pending<I, O>> batch = new ArrayList<>(size);
      for (int i = 0; i < size; i++) {
        batch.add(waiting.remove());
      }
      return batch;
    }
  }

  private void finished() {
    synchronized (lock) {
      inFlight--;
    }
    dispatch();
  }
}
