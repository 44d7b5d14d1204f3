package dev.holdfast.gateway.connection;

import dev.holdfast.gateway.lock.LeaseListener;
import dev.holdfast.gateway.lock.LossCause;
import dev.holdfast.gateway.message.Frames;
import dev.holdfast.gateway.message.Outbox;
import dev.holdfast.gateway.message.SerialContext;
import dev.holdfast.protocol.gateway.v1.LeaseState;
import java.time.Duration;
import java.util.function.Consumer;
import java.util.function.Predicate;

/** Tells a client, and its connection, what becomes of the lease. */
final class LeaseFrames implements LeaseListener {
  private final SerialContext serial;
  private final Outbox outbox;
  private final Predicate<ConnectionEvent> move;
  private final Consumer<Closure> close;

  /**
   * Makes the listener of one lease.
   *
   * @param move moves the connection, in the serial context; returns whether the event counts
   * @param close ends the connection, in the serial context
   */
  LeaseFrames(
      SerialContext serial,
      Outbox outbox,
      Predicate<ConnectionEvent> move,
      Consumer<Closure> close) {
    this.serial = serial;
    this.outbox = outbox;
    this.move = move;
    this.close = close;
  }

  @Override
  public void leaseSuspect(Duration remaining, String cause) {
    serial.execute(
        () -> {
          if (move.test(ConnectionEvent.LEASE_SUSPECT)) {
            outbox.lease(Frames.lease(LeaseState.LEASE_STATE_SUSPECT, remaining, cause));
          }
        });
  }

  @Override
  public void leaseHeld(Duration remaining) {
    serial.execute(
        () -> {
          if (move.test(ConnectionEvent.LEASE_HELD)) {
            outbox.lease(
                Frames.lease(LeaseState.LEASE_STATE_HELD, remaining, "The lock was refreshed."));
          }
        });
  }

  @Override
  public void leaseLost(LossCause cause) {
    serial.execute(
        () -> {
          outbox.lease(Frames.lease(LeaseState.LEASE_STATE_LOST, Duration.ZERO, cause.text()));
          close.accept(Closure.of(causeOf(cause), "The identity is lost: " + cause.text() + "."));
        });
  }

  private static CloseCause causeOf(LossCause cause) {
    return switch (cause) {
      case LEASE_EXPIRED -> CloseCause.LEASE_EXPIRED;
      case NOT_OWNER -> CloseCause.NOT_OWNER;
    };
  }
}
