package dev.holdfast.gateway.testing;

import dev.holdfast.gateway.error.GatewayError;
import dev.holdfast.gateway.error.GatewayException;
import dev.holdfast.gateway.identity.Identity;
import dev.holdfast.gateway.lock.AcquireRequest;
import dev.holdfast.gateway.lock.AcquireResult;
import dev.holdfast.gateway.lock.IdentityLock;
import dev.holdfast.gateway.lock.LockKey;
import dev.holdfast.gateway.lock.LockRecord;
import dev.holdfast.gateway.lock.RefreshResult;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * An identity lock without Redis, with the same meaning of every call. One that several gateways
 * share stands for the one Redis that they share; see {@link #on}.
 *
 * <p>Thread-safe. Its answers can be held back, and it can be made to lose calls or answers.
 */
public final class MemoryIdentityLock {
  private static final Duration REMAINING = Duration.ofSeconds(17);

  private final Map<Identity, LockRecord> locks = new HashMap<>();
  private final Map<Identity, Long> tokens = new HashMap<>();
  private final Queue<Runnable> heldBack = new ArrayDeque<>();
  private final List<LockKey> releases = new ArrayList<>();
  private final InstantSource clock;
  private boolean holdBack;
  private boolean down;
  private boolean losesAnswers;

  public MemoryIdentityLock(InstantSource clock) {
    this.clock = clock;
  }

  /** Returns the lock as the gateway {@code id}, in its boot {@code epoch}, sees it. */
  public IdentityLock on(String id, String epoch) {
    return new View(id, epoch);
  }

  /** Says who holds an identity; null if nobody does. */
  public synchronized @Nullable LockRecord holder(Identity identity) {
    return locks.get(identity);
  }

  /** Puts a lock in place, as another gateway would. */
  public synchronized void put(Identity identity, LockRecord record) {
    locks.put(identity, record);
    tokens.put(identity, record.token());
  }

  /** Deletes a lock, as its TTL would. */
  public synchronized void expire(Identity identity) {
    locks.remove(identity);
  }

  /** Waits until nobody holds an identity; says whether that came true in time. */
  public synchronized boolean awaitFree(Identity identity, Duration limit)
      throws InterruptedException {
    long deadline = System.nanoTime() + limit.toNanos();
    while (locks.containsKey(identity)) {
      long left = deadline - System.nanoTime();
      if (left <= 0) {
        return false;
      }
      TimeUnit.NANOSECONDS.timedWait(this, left);
    }
    return true;
  }

  /** Returns every release that was asked for. */
  public synchronized List<LockKey> releases() {
    return List.copyOf(releases);
  }

  /** Carries calls out, but answers only at {@link #answerNext}. */
  public synchronized void holdBackAnswers(boolean on) {
    holdBack = on;
  }

  /** Gives the oldest answer that was held back. */
  public void answerNext() {
    Runnable next;
    synchronized (this) {
      next = heldBack.remove();
    }
    next.run();
  }

  /** Makes every call fail without being carried out. */
  public synchronized void down(boolean on) {
    down = on;
  }

  /** Carries calls out, and makes each fail all the same. */
  public synchronized void loseAnswers(boolean on) {
    losesAnswers = on;
  }

  private <T> CompletionStage<T> answer(Supplier<T> call) {
    CompletableFuture<T> stage = new CompletableFuture<>();
    Runnable completion;
    synchronized (this) {
      T value = down ? null : call.get();
      completion =
          value == null || losesAnswers
              ? () -> stage.completeExceptionally(unavailable())
              : () -> stage.complete(value);
      if (holdBack) {
        heldBack.add(completion);
        return stage;
      }
    }
    completion.run();
    return stage;
  }

  private static GatewayException unavailable() {
    return new GatewayException(
        GatewayError.LOCK_STORE_UNAVAILABLE, "Redis did not answer within 2000 ms.");
  }

  private synchronized void notifyLocked() {
    notifyAll();
  }

  private boolean owns(LockKey key) {
    LockRecord record = locks.get(key.identity());
    return record != null && record.session().equals(key.session());
  }

  private final class View implements IdentityLock {
    private final String gatewayId;
    private final String epoch;

    View(String gatewayId, String epoch) {
      this.gatewayId = gatewayId;
      this.epoch = epoch;
    }

    @Override
    public CompletionStage<AcquireResult> acquire(AcquireRequest request) {
      return answer(() -> acquireNow(request));
    }

    private AcquireResult acquireNow(AcquireRequest request) {
      LockRecord holder = locks.get(request.identity());
      if (holder == null) {
        return new AcquireResult.Acquired(take(request), Optional.empty());
      }
      if (holder.session().equals(request.session())) {
        return new AcquireResult.Acquired(holder, Optional.empty());
      }
      boolean resumes =
          request.resume().isPresent()
              && holder.session().equals(request.resume().get())
              && holder.apiKeyId().equals(request.apiKeyId());
      return resumes
          ? new AcquireResult.Acquired(take(request), Optional.of(holder))
          : new AcquireResult.Refused(holder, REMAINING);
    }

    private LockRecord take(AcquireRequest request) {
      long token = tokens.merge(request.identity(), 1L, Long::sum);
      LockRecord record =
          new LockRecord(
              request.session(), token, gatewayId, epoch, request.apiKeyId(), clock.instant());
      locks.put(request.identity(), record);
      return record;
    }

    @Override
    public CompletionStage<List<RefreshResult>> refresh(List<LockKey> keys) {
      return answer(
          () ->
              keys.stream()
                  .map(key -> owns(key) ? RefreshResult.EXTENDED : RefreshResult.NOT_OWNER)
                  .toList());
    }

    @Override
    public CompletionStage<Boolean> release(LockKey key) {
      synchronized (MemoryIdentityLock.this) {
        releases.add(key);
      }
      return answer(
          () -> {
            boolean owned = owns(key);
            if (owned) {
              locks.remove(key.identity());
              notifyLocked();
            }
            return owned;
          });
    }

    @Override
    public CompletionStage<Optional<LockRecord>> find(Identity identity) {
      return answer(() -> Optional.ofNullable(locks.get(identity)));
    }
  }
}
