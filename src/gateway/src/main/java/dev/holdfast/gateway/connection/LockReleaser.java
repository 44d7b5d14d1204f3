package dev.holdfast.gateway.connection;

import dev.holdfast.gateway.lock.IdentityLock;
import dev.holdfast.gateway.lock.LockKey;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Future;

/**
 * Gives locks back, and goes on trying while Redis does not answer.
 *
 * <p>Thread-safe, never blocks. Every release names the session, so that a late one cannot touch a
 * successor.
 */
final class LockReleaser {
  private static final Duration FIRST_RETRY = Duration.ofSeconds(1);

  private final IdentityLock lock;
  private final Environment environment;
  private final Duration ttl;
  private final ConnectionLog log;

  /**
   * Makes a releaser.
   *
   * @param ttl after which a lock that nobody refreshes is gone, so that no retry is needed
   */
  LockReleaser(IdentityLock lock, Environment environment, Duration ttl, ConnectionLog log) {
    this.lock = lock;
    this.environment = environment;
    this.ttl = ttl;
    this.log = log;
  }

  /**
   * Releases a lock that was held.
   *
   * @return completes with the first answer: whether the lock was still owned; fails if Redis did
   *     not answer, in which case it is tried again in the background
   */
  CompletionStage<Boolean> release(LockKey key) {
    return attempt(key)
        .whenComplete(
            (owned, failure) -> {
              if (failure != null) {
                log.releaseFailed(key, failure);
                retryLater(key, FIRST_RETRY, false);
              }
            });
  }

  /**
   * Releases, in the background, a lock that may or may not have been acquired: also if the acquire
   * reaches Redis only after the first attempt.
   */
  void releaseIfAcquired(LockKey key) {
    attempt(key)
        .whenComplete(
            (owned, failure) -> {
              if (failure != null || !owned) {
                retryLater(key, FIRST_RETRY, true);
              }
            });
  }

  private CompletionStage<Boolean> attempt(LockKey key) {
    try {
      return lock.release(key);
    } catch (RuntimeException e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  /** Doubles the delay each time, until the TTL has passed in all. */
  private void retryLater(LockKey key, Duration delay, boolean untilOwned) {
    if (delay.compareTo(ttl) > 0) {
      return;
    }
    Future<?> unused =
        environment.after(
            delay,
            () ->
                attempt(key)
                    .whenComplete(
                        (owned, failure) -> {
                          if (failure != null || (untilOwned && !owned)) {
                            retryLater(key, delay.multipliedBy(2), untilOwned);
                          }
                        }));
  }
}
