package dev.holdfast.gateway.lock;

import dev.holdfast.gateway.cluster.Self;
import dev.holdfast.gateway.identity.Identity;
import dev.holdfast.gateway.redis.RedisConnection;
import dev.holdfast.gateway.redis.RedisScript;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.LongSupplier;

/** The identity lock as Lua scripts on Redis. Thread-safe. */
public final class RedissonIdentityLock implements IdentityLock {
  /** How many locks go in one script call at most, so that Redis is never busy for long. */
  static final int BATCH_SIZE = 256;

  private static final int BATCHES_IN_FLIGHT = 1;
  private static final Duration FENCE_TTL = Duration.ofDays(7); // Why this is safe: acquire.lua.

  private final Duration timeout;
  private final LongSupplier ticker;
  private final LockScript<LockKey, Boolean> refresh;
  private final ScriptLane<AcquireRequest, AcquireResult> acquires;
  private final ScriptLane<LockKey, Boolean> releases;
  private final ScriptLane<Identity, Optional<LockRecord>> finds;

  /**
   * Makes the lock of one gateway.
   *
   * @param ttl how long a lock lasts without a refresh
   * @param ticker the monotonic clock, in nanoseconds
   */
  public RedissonIdentityLock(RedisConnection redis, Self self, Duration ttl, LongSupplier ticker) {
    this.timeout = redis.commandTimeout();
    this.ticker = ticker;
    String ttlMillis = Long.toString(ttl.toMillis());
    List<String> acquireHead =
        List.of(
            ttlMillis,
            Long.toString(FENCE_TTL.toMillis()),
            LockValue.word(self.id()),
            LockValue.word(self.epoch()));
    LockForms.Owned owned = new LockForms.Owned();
    this.refresh = new LockScript<>(redis, load("refresh.lua"), List.of(ttlMillis), owned);
    this.acquires =
        lane(new LockScript<>(redis, load("acquire.lua"), acquireHead, new LockForms.Acquire(ttl)));
    this.releases = lane(new LockScript<>(redis, load("release.lua"), List.of(), owned));
    this.finds = lane(new LockScript<>(redis, load("find.lua"), List.of(), new LockForms.Find()));
  }

  private static RedisScript load(String name) {
    return RedisScript.load(RedissonIdentityLock.class, name);
  }

  private <I, O> ScriptLane<I, O> lane(LockScript<I, O> script) {
    return new ScriptLane<>(
        script::send, new ScriptLane.Limits(BATCH_SIZE, BATCHES_IN_FLIGHT, timeout), ticker);
  }

  @Override
  public CompletionStage<AcquireResult> acquire(AcquireRequest request) {
    LockValue.word(request.apiKeyId());
    return acquires.submit(request);
  }

  @Override
  public CompletionStage<Boolean> release(LockKey lock) {
    return releases.submit(lock);
  }

  @Override
  public CompletionStage<Optional<LockRecord>> find(Identity identity) {
    return finds.submit(identity);
  }

  @Override
  public CompletionStage<List<RefreshResult>> refresh(List<LockKey> locks) {
    long deadlineNanos = ticker.getAsLong() + timeout.toNanos();
    List<Pending<LockKey, Boolean>> items = new ArrayList<>(locks.size());
    for (LockKey lock : locks) {
      items.add(new Pending<>(lock, deadlineNanos));
    }
    List<CompletableFuture<Void>> sent = new ArrayList<>();
    for (int from = 0; from < items.size(); from += BATCH_SIZE) {
      int to = Math.min(from + BATCH_SIZE, items.size());
      sent.add(refresh.send(items.subList(from, to), deadlineNanos).toCompletableFuture());
    }
    return CompletableFuture.allOf(sent.toArray(CompletableFuture[]::new))
        .thenApply(done -> results(items));
  }

  private static List<RefreshResult> results(List<Pending<LockKey, Boolean>> items) {
    List<RefreshResult> results = new ArrayList<>(items.size());
    for (Pending<LockKey, Boolean> item : items) {
      results.add(result(item.promise()));
    }
    if (!results.isEmpty() && results.stream().allMatch(r -> r == RefreshResult.UNKNOWN)) {
      items.get(0).promise().join(); // Throws why.
    }
    return results;
  }

  private static RefreshResult result(CompletableFuture<Boolean> answer) {
    if (answer.isCompletedExceptionally()) {
      return RefreshResult.UNKNOWN;
    }
    return answer.join() ? RefreshResult.EXTENDED : RefreshResult.NOT_OWNER;
  }
}
