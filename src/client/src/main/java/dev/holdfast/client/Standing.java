package dev.holdfast.client;

import dev.holdfast.protocol.gateway.v1.ConnectionAck;
import dev.holdfast.protocol.gateway.v1.LeaseStateChanged;
import io.grpc.SynchronizationContext;
import java.time.Duration;
import java.util.Optional;

/**
 * What a connection may believe about its identity: the state, the newest acquisition, and the
 * local deadline of the lease. Moved in the serial context only, read by everyone.
 */
final class Standing {
  private final Notifier notifier;
  private final Lease lease;
  private volatile ConnectionState state = ConnectionState.CONNECTING;
  private volatile ConnectionAck newestAck = ConnectionAck.getDefaultInstance();
  private volatile Optional<CloseReason> closeReason = Optional.empty();

  Standing(SynchronizationContext context, ClientRuntime runtime, Notifier notifier) {
    this.notifier = notifier;
    this.lease = new Lease(context, runtime, this::leaseExpired);
  }

  ConnectionState state() {
    return state;
  }

  /** The newest acknowledgement; the default instance until the first came. */
  ConnectionAck newestAck() {
    return newestAck;
  }

  Optional<CloseReason> closeReason() {
    return closeReason;
  }

  boolean isClosed() {
    return state == ConnectionState.CLOSED;
  }

  /** How long the lock outlives a gateway that can no longer refresh it. */
  Duration lockTtl() {
    return Failures.toDuration(newestAck.getLockTtl());
  }

  /** A frame arrived: the gateway is alive. */
  void frameArrived() {
    lease.frameArrived();
  }

  /** The gateway acknowledged a stream. */
  void acquired(ConnectionAck ack) {
    if (state == ConnectionState.SUSPECT && !ack.getResumed()) {
      lost(Failures.local(Reasons.NOT_RESUMED, "another may have held the identity meanwhile"));
    }
    newestAck = ack;
    lease.renew();
    moveTo(ConnectionState.HELD, Optional.empty());
  }

  /** The gateway told of the lease. */
  void leaseChanged(LeaseStateChanged change) {
    switch (change.getState()) {
      case LEASE_STATE_HELD -> {
        lease.renew();
        moveTo(ConnectionState.HELD, Optional.empty());
      }
      case LEASE_STATE_SUSPECT -> {
        lease.endsIn(Failures.toDuration(change.getRemaining()));
        suspect(Failures.local(Reasons.LEASE_SUSPECT, change.getCause()));
      }
      case LEASE_STATE_LOST ->
          lost(
              new LockLostException(
                  Failure.local(Reasons.LOCK_LOST, change.getCause(), Failure.Kind.TRANSIENT)));
      case LEASE_STATE_UNSPECIFIED, UNRECOGNIZED -> {} // says nothing to rely on
    }
  }

  /**
   * The stream that held the identity ended. If the gateway ended it, it has released the identity;
   * else nobody here knows.
   */
  void streamEnded(HoldfastException cause) {
    if (cause.failure().fromGateway()) {
      lost(cause);
    } else {
      suspect(cause);
      lease.streamBroke(lockTtl());
    }
  }

  /** The identity isn't held: the gateway said so, or the lease ran out. */
  void lost(HoldfastException cause) {
    lease.renew();
    moveTo(ConnectionState.LOST, Optional.of(cause));
  }

  /** The end; does nothing if it came before. */
  void closed(CloseReason reason) {
    if (!isClosed()) {
      lease.renew();
      closeReason = Optional.of(reason);
      moveTo(ConnectionState.CLOSED, reason.cause());
    }
  }

  private void suspect(HoldfastException cause) {
    moveTo(ConnectionState.SUSPECT, Optional.of(cause));
  }

  private void leaseExpired() {
    lost(Failures.local(Reasons.LEASE_EXPIRED, "the lease ran out before it was refreshed"));
  }

  private void moveTo(ConnectionState next, Optional<HoldfastException> cause) {
    ConnectionState previous = state;
    if (!previous.canBecome(next)) {
      return;
    }
    state = next;
    boolean connectFailed =
        previous == ConnectionState.CONNECTING && next == ConnectionState.CLOSED;
    if (!connectFailed) {
      notifier.stateChange(new StateChange(previous, next, newestAck.getFencingToken(), cause));
    }
  }
}
