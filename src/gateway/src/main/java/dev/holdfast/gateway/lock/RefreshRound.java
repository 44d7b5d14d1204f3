package dev.holdfast.gateway.lock;

import dev.holdfast.gateway.telemetry.Meter;
import dev.holdfast.gateway.telemetry.Meters;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Refreshes many leases at once, in batches that fail or succeed by themselves. One round at a
 * time. Thread-safe.
 */
final class RefreshRound {
  /** So many locks go in one batch; small enough to keep Redis busy for a fraction of a ms. */
  static final int BATCH_SIZE = 256;

  private final IdentityLock lock;
  private final LongSupplier ticker;
  private final Meters.Timer durations;
  private final Meters.Distribution sizes;
  private final Meters.Counter failures;
  private final AtomicBoolean underWay = new AtomicBoolean();
  private final AtomicInteger doubted = new AtomicInteger();
  private volatile String lastCause = "";
  private volatile boolean failing;

  RefreshRound(IdentityLock lock, LongSupplier ticker, Meters meters) {
    this.lock = lock;
    this.ticker = ticker;
    this.durations = meters.timer(Meter.REFRESH_DURATION);
    this.sizes = meters.distribution(Meter.REFRESH_BATCH_SIZE);
    this.failures = meters.counter(Meter.REFRESH_FAILURES, "");
  }

  boolean underWay() {
    return underWay.get();
  }

  /** Begins a round; the caller sees to it that none is under way. */
  void run(List<Lease> leases) {
    if (leases.isEmpty() || !underWay.compareAndSet(false, true)) {
      return;
    }
    long startNanos = ticker.getAsLong();
    doubted.set(0);
    sizes.record(leases.size());
    List<CompletableFuture<?>> batches = new ArrayList<>();
    for (int from = 0; from < leases.size(); from += BATCH_SIZE) {
      int to = Math.min(from + BATCH_SIZE, leases.size());
      batches.add(refresh(leases.subList(from, to)).toCompletableFuture());
    }
    CompletionStage<Void> all = CompletableFuture.allOf(batches.toArray(CompletableFuture[]::new));
    all.whenComplete((done, failure) -> finished(startNanos));
  }

  private CompletionStage<?> refresh(List<Lease> batch) {
    long sentNanos = ticker.getAsLong();
    return ask(batch)
        .handle(
            (results, failure) -> {
              apply(batch, sentNanos, results, causeOf(failure));
              return null;
            });
  }

  private CompletionStage<List<RefreshResult>> ask(List<Lease> batch) {
    try {
      return lock.refresh(batch.stream().map(Lease::key).toList());
    } catch (RuntimeException e) { // A defect of one call must not end the round.
      return CompletableFuture.failedFuture(e);
    }
  }

  private void apply(
      List<Lease> batch, long sentNanos, @Nullable List<RefreshResult> results, String cause) {
    int unknown = 0;
    for (int i = 0; i < batch.size(); i++) {
      Lease lease = batch.get(i);
      switch (results == null ? RefreshResult.UNKNOWN : results.get(i)) {
        case EXTENDED -> lease.proved(sentNanos);
        case NOT_OWNER -> lease.disowned(sentNanos);
        case UNKNOWN -> {
          unknown++;
          lease.doubted(sentNanos, cause);
        }
      }
    }
    if (unknown > 0) {
      failures.add(1);
      lastCause = cause;
      doubted.addAndGet(unknown);
    }
  }

  private static String causeOf(@Nullable Throwable failure) {
    Throwable cause =
        failure instanceof CompletionException && failure.getCause() != null
            ? failure.getCause()
            : failure;
    return cause == null
        ? "Redis did not answer for this lock"
        : String.valueOf(cause.getMessage());
  }

  private void finished(long startNanos) {
    durations.record(Duration.ofNanos(ticker.getAsLong() - startNanos));
    boolean failed = doubted.get() > 0;
    if (failed && !failing) {
      LockLog.refreshFailing(doubted.get(), lastCause);
    } else if (!failed && failing) {
      LockLog.refreshRecovered();
    }
    failing = failed;
    underWay.set(false);
  }
}
