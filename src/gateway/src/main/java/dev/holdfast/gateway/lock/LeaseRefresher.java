package dev.holdfast.gateway.lock;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.holdfast.gateway.config.GatewayConfig;
import dev.holdfast.gateway.telemetry.Meters;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/**
 * Keeps every lock of this gateway alive, and says of each at once when it no longer can.
 *
 * <p>Thread-safe. Listeners are called on the thread that completed the refresh, or on one of the
 * timers.
 */
public final class LeaseRefresher implements AutoCloseable {
  // Rounds. A tick, ten to an interval, starts a round of all leases when an interval has passed
  // since the last such round began, else a round of the suspect ones if there are any. A tick that
  // finds a round under way does nothing, so slow rounds never pile up; the next begins with the
  // first tick after.
  //
  // Deadlines. A lease runs from when the refresh that proved it was sent, so time that a reply
  // took
  // is never counted as owned. One timer stands for the earliest deadline of all leases; it needs
  // no
  // answer from Redis.

  private static final int TICKS_PER_INTERVAL = 10;
  private static final Duration SHORTEST_TICK = Duration.ofMillis(20);
  private static final Duration LONGEST_TICK = Duration.ofSeconds(1);

  private final RefreshRound round;
  private final ScheduledExecutorService timers;
  private final LongSupplier ticker;
  private final long intervalNanos;
  private final long usableNanos;
  private final Set<Lease> leases = ConcurrentHashMap.newKeySet();
  private final LeaseDeadlines deadlines = new LeaseDeadlines();
  private final AtomicLong serials = new AtomicLong();
  private final Object timerLock = new Object();

  /** When the pending timer fires; empty if there is none. */
  @GuardedBy("timerLock")
  private OptionalLong timerNanos = OptionalLong.empty();

  @GuardedBy("timerLock")
  private Optional<Future<?>> ticks = Optional.empty();

  private volatile boolean closed;
  private long nextRoundNanos; // Touched by ticks only, which do not overlap.

  /**
   * Makes a refresher that does nothing until {@link #start}.
   *
   * @param timers runs ticks and deadlines, which do not block
   * @param ticker the monotonic clock, in nanoseconds
   */
  public LeaseRefresher(
      IdentityLock lock,
      GatewayConfig.Lock settings,
      ScheduledExecutorService timers,
      LongSupplier ticker,
      Meters meters) {
    this.round = new RefreshRound(lock, ticker, meters);
    this.timers = timers;
    this.ticker = ticker;
    this.intervalNanos = settings.refreshInterval().toNanos();
    this.usableNanos = settings.ttl().minus(settings.safetyMargin()).toNanos();
  }

  /** Begins to refresh. To be called once. */
  public void start() {
    nextRoundNanos = ticker.getAsLong() + intervalNanos;
    long tickNanos =
        Math.max(
            SHORTEST_TICK.toNanos(),
            Math.min(LONGEST_TICK.toNanos(), intervalNanos / TICKS_PER_INTERVAL));
    synchronized (timerLock) {
      ticks =
          Optional.of(
              timers.scheduleWithFixedDelay(
                  this::tick, tickNanos, tickNanos, TimeUnit.NANOSECONDS));
    }
  }

  /**
   * Keeps a lock that was just acquired.
   *
   * @param acquireSentNanos when the acquire was sent, by the monotonic clock: the lease runs from
   *     then
   */
  public Lease hold(LockKey key, long acquireSentNanos, LeaseListener listener) {
    Lease lease =
        new Lease(key, serials.incrementAndGet(), acquireSentNanos, listener, this, ticker);
    leases.add(lease);
    deadlines.add(lease);
    scheduleDeadline();
    return lease;
  }

  /** Stops refreshing and calling listeners; the locks stay in Redis until released or expired. */
  @Override
  public void close() {
    closed = true;
    synchronized (timerLock) {
      ticks.ifPresent(future -> future.cancel(false));
    }
  }

  /** Returns how long a lease runs from when its proof was sent. */
  long usableNanos() {
    return usableNanos;
  }

  void forget(Lease lease) {
    leases.remove(lease);
    deadlines.remove(lease);
  }

  private void tick() {
    try {
      if (closed || round.underWay()) {
        return;
      }
      long now = ticker.getAsLong();
      if (nextRoundNanos - now <= 0) {
        nextRoundNanos = now + intervalNanos;
        round.run(leases.stream().toList());
      } else {
        round.run(leases.stream().filter(Lease::suspect).toList());
      }
    } catch (RuntimeException e) { // A throw would end the schedule.
      LockLog.defect("a refresh round", e);
    }
  }

  private void scheduleDeadline() {
    OptionalLong next = deadlines.nextNanos();
    synchronized (timerLock) {
      boolean inTime =
          next.isEmpty()
              || (timerNanos.isPresent() && timerNanos.getAsLong() - next.getAsLong() <= 0);
      if (inTime || closed) {
        return;
      }
      timerNanos = next;
    }
    long delay = Math.max(0, next.getAsLong() - ticker.getAsLong());
    try {
      var unused =
          timers.schedule(() -> deadlinePassed(next.getAsLong()), delay, TimeUnit.NANOSECONDS);
    } catch (RejectedExecutionException e) { // The server stops; so does serving.
      LockLog.defect("the deadline timer", e);
    }
  }

  private void deadlinePassed(long firedNanos) {
    if (closed) {
      return;
    }
    synchronized (timerLock) {
      if (timerNanos.isPresent() && timerNanos.getAsLong() == firedNanos) {
        timerNanos = OptionalLong.empty();
      }
    }
    deadlines.takeExpired(ticker.getAsLong()).forEach(this::expire);
    scheduleDeadline();
  }

  private void expire(Lease lease) {
    try {
      lease.expire();
      if (leases.contains(lease)) { // It was proved while it was being taken out.
        deadlines.add(lease);
      }
    } catch (RuntimeException e) { // The other leases must still expire.
      LockLog.defect("the expiry of " + lease.key(), e);
    }
  }
}
