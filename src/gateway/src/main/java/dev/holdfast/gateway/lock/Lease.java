package dev.holdfast.gateway.lock;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.time.Duration;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The right of one connection to act as the holder of its identity, for as long as refreshes
 * succeed.
 *
 * <p>Thread-safe. Made by {@link LeaseRefresher#hold}.
 */
public final class Lease {
  private enum State {
    HELD,
    SUSPECT,
    LOST,
    ENDED
  }

  private final LockKey key;
  private final long serial;
  private final LeaseListener listener;
  private final LeaseRefresher refresher;
  private final LongSupplier ticker;
  private final Object lock = new Object();

  @GuardedBy("lock")
  private State state = State.HELD;

  /** The state that the listener was told last, or is being told by the thread that tells. */
  @GuardedBy("lock")
  private State told = State.HELD;

  @GuardedBy("lock")
  private boolean telling;

  /** When the last refresh, or the acquire, was sent that proved ownership. */
  @GuardedBy("lock")
  private long provedNanos;

  @GuardedBy("lock")
  private String suspectCause = "";

  @GuardedBy("lock")
  private LossCause lossCause = LossCause.LEASE_EXPIRED;

  private volatile long deadlineNanos; // Written under the lock.
  private long queuedNanos; // Owned by LeaseDeadlines.

  Lease(
      LockKey key,
      long serial,
      long sentNanos,
      LeaseListener listener,
      LeaseRefresher refresher,
      LongSupplier ticker) {
    this.key = key;
    this.serial = serial;
    this.listener = listener;
    this.refresher = refresher;
    this.ticker = ticker;
    this.provedNanos = sentNanos;
    this.deadlineNanos = sentNanos + refresher.usableNanos();
  }

  /** Returns what is held. */
  public LockKey key() {
    return key;
  }

  /** Returns for how long the identity may still be served; zero once it is lost. */
  public Duration remaining() {
    return Duration.ofNanos(Math.max(0, deadlineNanos - ticker.getAsLong()));
  }

  /**
   * Ends the lease because the connection ends; the lock itself is not released. After this
   * returns, no listener call is decided any more; one that was decided before may still run on
   * another thread. Does nothing the second time.
   */
  public void end() {
    synchronized (lock) {
      if (state == State.ENDED) {
        return;
      }
      state = State.ENDED;
    }
    refresher.forget(this);
  }

  /** A refresh that was sent at {@code sentNanos} found the lock owned. */
  void proved(long sentNanos) {
    synchronized (lock) {
      if (finished() || sentNanos - provedNanos <= 0) {
        return;
      }
      provedNanos = sentNanos;
      deadlineNanos = sentNanos + refresher.usableNanos();
      state = State.HELD;
    }
    tell();
  }

  /** A refresh that was sent at {@code sentNanos} may or may not have extended the lock. */
  void doubted(long sentNanos, String cause) {
    synchronized (lock) {
      if (state != State.HELD || sentNanos - provedNanos <= 0) {
        return;
      }
      state = State.SUSPECT;
      suspectCause = cause;
    }
    tell();
  }

  /** A refresh that was sent at {@code sentNanos} found the lock gone, or another's. */
  void disowned(long sentNanos) {
    synchronized (lock) {
      if (finished() || sentNanos - provedNanos <= 0) {
        return;
      }
      lose(LossCause.NOT_OWNER);
    }
    lost();
  }

  /** Loses the lease if its deadline has passed. */
  void expire() {
    synchronized (lock) {
      if (finished() || deadlineNanos - ticker.getAsLong() > 0) {
        return;
      }
      lose(LossCause.LEASE_EXPIRED);
    }
    lost();
  }

  boolean suspect() {
    synchronized (lock) {
      return state == State.SUSPECT;
    }
  }

  long deadlineNanos() {
    return deadlineNanos;
  }

  long queuedNanos() {
    return queuedNanos;
  }

  void setQueuedNanos(long nanos) {
    queuedNanos = nanos;
  }

  long serial() {
    return serial;
  }

  @GuardedBy("lock")
  private boolean finished() {
    return state == State.LOST || state == State.ENDED;
  }

  @GuardedBy("lock")
  private void lose(LossCause cause) {
    state = State.LOST;
    lossCause = cause;
    deadlineNanos = ticker.getAsLong();
  }

  private void lost() {
    refresher.forget(this);
    tell();
  }

  /**
   * Tells the listener of the state, until it knows the current one. Only one thread tells at a
   * time; a change that comes meanwhile is told by that thread, and one that was undone before it
   * could be told is not told.
   */
  private void tell() {
    for (Runnable call = nextCall(true); call != null; call = nextCall(false)) {
      try {
        call.run();
      } catch (RuntimeException e) { // The state must go on to be told, and telling to end.
        LockLog.defect("a listener of " + key, e);
      }
    }
  }

  private @Nullable Runnable nextCall(boolean first) {
    synchronized (lock) {
      if (first && telling) {
        return null;
      }
      telling = state != told && state != State.ENDED;
      if (!telling) {
        return null;
      }
      told = state;
      String cause = suspectCause;
      LossCause loss = lossCause;
      return switch (told) {
        case HELD -> () -> listener.leaseHeld(remaining());
        case SUSPECT -> () -> listener.leaseSuspect(remaining(), cause);
        case LOST, ENDED ->
            () -> // An ended lease tells nothing: see above.
            listener.leaseLost(loss);
      };
    }
  }
}
