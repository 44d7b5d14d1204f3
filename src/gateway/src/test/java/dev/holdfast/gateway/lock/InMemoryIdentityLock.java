package dev.holdfast.gateway.lock;

import dev.holdfast.gateway.error.GatewayError;
import dev.holdfast.gateway.error.GatewayException;
import dev.holdfast.gateway.identity.Identity;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * The identity lock in memory, whose replies to a refresh a test can hold back or lose. Locks do
 * not expire by themselves: a test takes them away. Not thread-safe.
 */
final class InMemoryIdentityLock implements IdentityLock {
  /** What becomes of the replies to refreshes. */
  enum Replies {
    AT_ONCE,
    /** Kept until {@link InMemoryIdentityLock#deliver}. */
    HELD_BACK,
    /** The refresh is carried out, and its stage fails. */
    LOST,
    /** The call itself throws. */
    THROWN
  }

  private final Map<Identity, LockRecord> locks = new HashMap<>();
  private final Deque<Runnable> heldBack = new ArrayDeque<>();
  private final List<Integer> refreshSizes = new ArrayList<>();
  private final Set<Identity> silent = new HashSet<>();
  private Replies replies = Replies.AT_ONCE;
  private long tokens;

  void reply(Replies how) {
    replies = how;
  }

  /** Makes refreshes of one identity {@link RefreshResult#UNKNOWN}. */
  void silence(Identity identity) {
    silent.add(identity);
  }

  /** Takes a lock away from its holder. */
  void expire(Identity identity) {
    locks.remove(identity);
  }

  /** Answers the refreshes that were held back, in order. */
  void deliver() {
    while (!heldBack.isEmpty()) {
      heldBack.remove().run();
    }
  }

  int heldBack() {
    return heldBack.size();
  }

  /** Returns how many locks each refresh call named. */
  List<Integer> refreshSizes() {
    return refreshSizes;
  }

  @Override
  public CompletionStage<AcquireResult> acquire(AcquireRequest request) {
    Optional<LockRecord> holder = Optional.ofNullable(locks.get(request.identity()));
    if (holder.isPresent() && holder.get().session().equals(request.session())) {
      return acquired(holder.get(), Optional.empty());
    }
    boolean resumed =
        holder.isPresent()
            && request.resume().equals(holder.map(LockRecord::session))
            && holder.get().apiKeyId().equals(request.apiKeyId());
    if (holder.isPresent() && !resumed) {
      return CompletableFuture.completedFuture(
          new AcquireResult.Refused(holder.get(), Duration.ofSeconds(30)));
    }
    LockRecord held = newLock(request);
    locks.put(request.identity(), held);
    return acquired(held, holder);
  }

  private static CompletionStage<AcquireResult> acquired(
      LockRecord held, Optional<LockRecord> superseded) {
    return CompletableFuture.completedFuture(new AcquireResult.Acquired(held, superseded));
  }

  private LockRecord newLock(AcquireRequest request) {
    return new LockRecord(
        request.session(), ++tokens, "gw", "00", request.apiKeyId(), Instant.EPOCH);
  }

  @Override
  public CompletionStage<List<RefreshResult>> refresh(List<LockKey> keys) {
    refreshSizes.add(keys.size());
    List<RefreshResult> results = keys.stream().map(this::refresh).toList();
    CompletableFuture<List<RefreshResult>> reply = new CompletableFuture<>();
    switch (replies) {
      case AT_ONCE -> reply.complete(results);
      case HELD_BACK -> heldBack.add(() -> reply.complete(results));
      case LOST ->
          reply.completeExceptionally(
              new GatewayException(GatewayError.LOCK_STORE_UNAVAILABLE, "The reply was lost."));
      case THROWN -> throw new IllegalStateException("thrown by the test");
    }
    return reply;
  }

  private RefreshResult refresh(LockKey key) {
    if (silent.contains(key.identity())) {
      return RefreshResult.UNKNOWN;
    }
    return owns(key) ? RefreshResult.EXTENDED : RefreshResult.NOT_OWNER;
  }

  private boolean owns(LockKey key) {
    LockRecord holder = locks.get(key.identity());
    return holder != null && holder.session().equals(key.session());
  }

  @Override
  public CompletionStage<Boolean> release(LockKey key) {
    boolean owned = owns(key);
    if (owned) {
      locks.remove(key.identity());
    }
    return CompletableFuture.completedFuture(owned);
  }

  @Override
  public CompletionStage<Optional<LockRecord>> find(Identity identity) {
    return CompletableFuture.completedFuture(Optional.ofNullable(locks.get(identity)));
  }
}
