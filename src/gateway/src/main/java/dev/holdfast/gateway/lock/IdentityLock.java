package dev.holdfast.gateway.lock;

import dev.holdfast.gateway.identity.Identity;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/**
 * The distributed lock on identities, kept in Redis.
 *
 * <p>Thread-safe. No method blocks. Every stage completes within the configured command time-out,
 * on a thread of the Redis client that must not be blocked; it fails with {@link
 * dev.holdfast.gateway.error.GatewayException} {@code LOCK_STORE_UNAVAILABLE} when Redis did not
 * answer, in which case the call may or may not have taken effect. Every call is idempotent for its
 * session.
 */
public interface IdentityLock {
  /** Takes the identity, or resumes it, in one atomic step. */
  CompletionStage<AcquireResult> acquire(AcquireRequest request);

  /**
   * Extends what is still owned.
   *
   * @return for each of {@code locks}, in order, what was found; fails only if Redis answered for
   *     none of them
   */
  CompletionStage<List<RefreshResult>> refresh(List<LockKey> locks);

  /** Deletes the lock if the session still owns it; completes with whether it did. */
  CompletionStage<Boolean> release(LockKey lock);

  /** Looks up who holds the identity. */
  CompletionStage<Optional<LockRecord>> find(Identity identity);
}
