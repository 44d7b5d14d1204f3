package dev.holdfast.client;

import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Decides whether and when a connection tries again. Runs in the connection's serial context.
 *
 * <p>The wait is what the gateway asked for plus a random part, so that clients which were told the
 * same don't come back in the same instant, and never come back early.
 */
final class Retrier {
  private final ClientRuntime runtime;
  private int attempt;
  private OptionalLong heldSinceNanos = OptionalLong.empty();
  private OptionalLong duplicateDeadlineNanos = OptionalLong.empty();

  Retrier(ClientRuntime runtime) {
    this.runtime = runtime;
  }

  /** The identity is held from now on. */
  void held() {
    heldSinceNanos = OptionalLong.of(now());
    duplicateDeadlineNanos = OptionalLong.empty();
  }

  /** The stream that held the identity ended; only a stable one earns a fresh start. */
  void ended() {
    long stableNanos = runtime.backoff().stableAfter().toNanos();
    if (heldSinceNanos.isPresent() && now() - heldSinceNanos.getAsLong() >= stableNanos) {
      attempt = 0;
    }
    heldSinceNanos = OptionalLong.empty();
  }

  /**
   * How long to wait before the next attempt; empty to give up.
   *
   * @param asked how long the gateway asked to wait at least
   * @param everHeld whether the identity was held before. If it never was, only the wait for
   *     another holder is worth a retry
   * @param patience how long to wait for another holder, from its first refusal on
   */
  Optional<Duration> next(
      HoldfastException cause, Duration asked, boolean everHeld, Duration patience) {
    return switch (cause.failure().kind()) {
      case FINAL -> Optional.empty();
      case TRANSIENT ->
          everHeld
              ? Optional.of(wait(asked))
              : duplicateDeadlineNanos.isPresent() ? waitWithin(asked) : Optional.empty();
      case DUPLICATE -> {
        if (duplicateDeadlineNanos.isEmpty()) {
          duplicateDeadlineNanos = OptionalLong.of(now() + patience.toNanos());
        }
        yield waitWithin(asked);
      }
    };
  }

  /** As {@link #wait}, but ends at the deadline: the last attempt is made then, not after it. */
  private Optional<Duration> waitWithin(Duration asked) {
    long remainingNanos = duplicateDeadlineNanos.orElseThrow() - now();
    if (remainingNanos <= 0) {
      return Optional.empty();
    }
    return Optional.of(Duration.ofNanos(Math.min(wait(asked).toNanos(), remainingNanos)));
  }

  private Duration wait(Duration asked) {
    Duration jittered = runtime.backoff().jittered(attempt, runtime.random());
    attempt++;
    return asked.plus(jittered);
  }

  private long now() {
    return runtime.nanoTime().getAsLong();
  }
}
