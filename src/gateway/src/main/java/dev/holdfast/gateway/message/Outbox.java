package dev.holdfast.gateway.message;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.holdfast.gateway.error.GatewayException;
import dev.holdfast.protocol.gateway.v1.ConnectResponse;
import java.util.ArrayDeque;
import java.util.Optional;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/**
 * Everything that one client is still to be sent, and the only writer of its stream.
 *
 * <p>Nothing in it grows without bound: messages are limited by count and bytes; of the lease
 * states only the newest waits; there is one receipt at most for each frame that was asked of the
 * client, and the next is asked for only when a receipt has been written. A client that does not
 * read therefore stalls itself, and its senders are told.
 *
 * <p>Thread-safe. The stream is written by one thread at a time, whichever finds it free, outside
 * the lock.
 */
public final class Outbox {
  /** What became of a message that was offered. */
  public enum Offer {
    ACCEPTED,
    /** The receiver reads too slowly. */
    FULL,
    /** The connection does not hold the identity yet, or no longer. */
    CLOSED
  }

  private record Waiting(ConnectResponse frame, int bytes) {}

  private enum Phase {
    /** The identity is not held yet: nothing is sent. */
    NEW,
    OPEN,
    /** The identity is no longer held: no message is taken or sent. */
    SHUT,
    /** What is left, other than messages, is being sent, ready or not; then the stream ends. */
    ENDING,
    ENDED
  }

  private final FrameSink sink;
  private final MessageLimits limits;
  private final OutboxMeters meters;
  private final Runnable onReceiptSent;

  @GuardedBy("this")
  private final Queue<ConnectResponse> receipts = new ArrayDeque<>();

  @GuardedBy("this")
  private final Queue<Waiting> messages = new ArrayDeque<>();

  @GuardedBy("this")
  private Phase phase = Phase.NEW;

  @GuardedBy("this")
  private boolean writing;

  @GuardedBy("this")
  private @Nullable ConnectResponse ack;

  @GuardedBy("this")
  private @Nullable ConnectResponse lease;

  @GuardedBy("this")
  private @Nullable ConnectResponse goingAway;

  @GuardedBy("this")
  private Optional<GatewayException> error = Optional.empty();

  @GuardedBy("this")
  private long queuedBytes;

  @GuardedBy("this")
  private boolean metered;

  @GuardedBy("this")
  private long credit;

  /**
   * Makes an outbox that sends nothing before {@link #open}.
   *
   * @param onReceiptSent called, outside the lock, after each receipt that was written
   */
  public Outbox(FrameSink sink, MessageLimits limits, OutboxMeters meters, Runnable onReceiptSent) {
    this.sink = sink;
    this.limits = limits;
    this.meters = meters;
    this.onReceiptSent = onReceiptSent;
  }

  /**
   * Starts sending, with {@code ack}.
   *
   * @param messageCredit how many messages may be sent before {@link #grant}; 0 for no limit
   */
  public void open(ConnectResponse ack, long messageCredit) {
    synchronized (this) {
      if (phase != Phase.NEW) {
        return;
      }
      phase = Phase.OPEN;
      this.ack = ack;
      metered = messageCredit > 0;
      credit = messageCredit;
    }
    drain();
  }

  /**
   * Takes in a message.
   *
   * @param bytes the size of its payload
   */
  public Offer offer(ConnectResponse message, int bytes) {
    synchronized (this) {
      if (phase != Phase.OPEN) {
        return Offer.CLOSED;
      }
      if (!messages.isEmpty()
          && (messages.size() >= limits.queueCapacity()
              || queuedBytes + bytes > limits.queueBytes())) {
        return Offer.FULL;
      }
      messages.add(new Waiting(message, bytes));
      queuedBytes += bytes;
      meters.queued();
    }
    drain();
    return Offer.ACCEPTED;
  }

  /** Takes in the receipt for a frame that was asked of the client. */
  public void receipt(ConnectResponse receipt) {
    synchronized (this) {
      if (phase == Phase.ENDED) {
        return;
      }
      receipts.add(receipt);
    }
    drain();
  }

  /** Tells the state of the lease; one that was not sent yet is forgotten. */
  public void lease(ConnectResponse state) {
    synchronized (this) {
      lease = state;
    }
    drain();
  }

  /** Tells that the stream ends soon. */
  public void goingAway(ConnectResponse notice) {
    synchronized (this) {
      goingAway = notice;
    }
    drain();
  }

  /** Adds room for further messages; without effect if there is no limit. */
  public void grant(long moreMessages) {
    synchronized (this) {
      credit += moreMessages; // 32-bit grants: no client lives to overflow it.
    }
    drain();
  }

  /** Stops taking and sending messages; those that wait are dropped and counted. */
  public synchronized void shut() {
    if (phase == Phase.OPEN) {
      phase = Phase.SHUT;
    }
    meters.dropped(messages.size());
    messages.clear();
    queuedBytes = 0;
  }

  /** Sends what is left other than messages, whether the client reads or not, and ends. */
  public void end(Optional<GatewayException> error) {
    shut();
    synchronized (this) {
      if (phase == Phase.ENDING || phase == Phase.ENDED) {
        return;
      }
      if (phase == Phase.NEW) {
        forgetControl(); // Nothing may precede the ack, and there will be none.
      }
      phase = Phase.ENDING;
      this.error = error;
    }
    drain();
  }

  /** Returns how many messages wait. */
  public synchronized int depth() {
    return messages.size();
  }

  /** Sends what can be sent; to be called when the stream becomes ready. */
  public void drain() {
    synchronized (this) {
      if (writing) {
        return;
      }
      writing = true;
    }
    boolean more = true;
    while (more) {
      more = writeNext();
    }
  }

  @GuardedBy("this")
  private void forgetControl() {
    ack = null;
    lease = null;
    goingAway = null;
    receipts.clear();
  }

  private boolean writeNext() {
    ConnectResponse next;
    Optional<GatewayException> finalError;
    synchronized (this) {
      next = poll();
      if (next == null && phase != Phase.ENDING) {
        writing = false;
        return false;
      }
      finalError = error;
      if (next == null) {
        phase = Phase.ENDED; // And writing stays set: nothing is ever written again.
      }
    }
    if (next == null) {
      sink.end(finalError);
      return false;
    }
    sink.send(next);
    if (next.hasReceipt()) {
      onReceiptSent.run();
    }
    return true;
  }

  @GuardedBy("this")
  private @Nullable ConnectResponse poll() {
    if (phase == Phase.NEW || phase == Phase.ENDED) {
      return null;
    }
    if (phase != Phase.ENDING && !sink.isReady()) {
      return null;
    }
    ConnectResponse control = pollControl();
    if (control != null) {
      return control;
    }
    ConnectResponse receipt = receipts.poll();
    return receipt != null ? receipt : pollMessage();
  }

  @GuardedBy("this")
  private @Nullable ConnectResponse pollControl() {
    ConnectResponse control = ack;
    if (control != null) {
      ack = null;
      return control;
    }
    control = lease;
    if (control != null) {
      lease = null;
      return control;
    }
    control = goingAway;
    goingAway = null;
    return control;
  }

  @GuardedBy("this")
  private @Nullable ConnectResponse pollMessage() {
    if (messages.isEmpty() || (metered && credit == 0)) {
      return null;
    }
    Waiting next = messages.remove();
    queuedBytes -= next.bytes();
    credit = metered ? credit - 1 : credit;
    meters.sent();
    return next.frame();
  }
}
