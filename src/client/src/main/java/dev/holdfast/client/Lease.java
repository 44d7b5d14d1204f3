package dev.holdfast.client;

import io.grpc.SynchronizationContext;
import io.grpc.SynchronizationContext.ScheduledHandle;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The instant from which this client, by its own clock alone, must take its identity for lost.
 *
 * <p>There is none while the gateway says HELD on a live stream. There are two ways to one:
 *
 * <ul>
 *   <li>The gateway says SUSPECT and how long the lease still runs. That long after the frame
 *       arrived, the lease is over, whether or not the gateway gets to say so.
 *   <li>The stream breaks. What the gateway knows is then unknown here. The last proof that it was
 *       alive is the newest frame, or else the transport itself, whose keepalive bounds how long a
 *       dead one goes unnoticed. If the gateway died at that proof, the lock, which nobody
 *       refreshes any more, is gone one lock TTL later at the latest: from then on, a resume can't
 *       find it, and anybody may hold the identity. If it didn't die, it has released the identity
 *       or will, as soon as it sees the stream broken. So the deadline is the end of hope, not a
 *       promise until then: what must not happen twice has to stop at SUSPECT, or be fenced.
 * </ul>
 *
 * <p>Of two deadlines the earlier counts. Runs in the connection's serial context.
 */
final class Lease {
  private final SynchronizationContext context;
  private final ClientRuntime runtime;
  private final Runnable expired;
  private @Nullable ScheduledHandle timer;
  private long deadlineNanos;
  private long newestFrameNanos;

  /** A lease that runs {@code expired} in the serial context when its deadline passes. */
  Lease(SynchronizationContext context, ClientRuntime runtime, Runnable expired) {
    this.context = context;
    this.runtime = runtime;
    this.expired = expired;
  }

  /** The gateway holds the lock safely: there is no deadline any more. */
  void renew() {
    if (timer != null) {
      timer.cancel();
      timer = null;
    }
  }

  /** A frame arrived: the gateway is alive. */
  void frameArrived() {
    newestFrameNanos = now();
  }

  /** The gateway says that the lease ends after {@code remaining} unless it is refreshed. */
  void endsIn(Duration remaining) {
    renew();
    expireAt(now() + remaining.toNanos());
  }

  /** The stream broke. */
  void streamBroke(Duration lockTtl) {
    long transportProofNanos = now() - runtime.silenceLimit().toNanos();
    long proofNanos =
        newestFrameNanos - transportProofNanos > 0 ? newestFrameNanos : transportProofNanos;
    expireAt(proofNanos + lockTtl.toNanos());
  }

  private void expireAt(long nanos) {
    if (timer != null && deadlineNanos - nanos <= 0) {
      return;
    }
    renew();
    deadlineNanos = nanos;
    long delayNanos = Math.max(0, nanos - now());
    timer = context.schedule(this::expire, delayNanos, TimeUnit.NANOSECONDS, runtime.timers());
  }

  private void expire() {
    timer = null;
    expired.run();
  }

  private long now() {
    return runtime.nanoTime().getAsLong();
  }
}
