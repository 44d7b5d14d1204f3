package dev.holdfast.client;

import dev.holdfast.protocol.gateway.v1.Message;
import io.grpc.SynchronizationContext;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The messages that arrived and that the listener hasn't consumed yet.
 *
 * <p>The transport is always drained at once, so that a slow listener can't stall other streams on
 * the same HTTP/2 connection; that the inbox stays bounded is the work of credit: messages here
 * plus messages that the gateway may still send never exceed the capacity, apart from the one that
 * a new stream must be allowed when the inbox is full, since a credit of zero means no limit.
 *
 * <p>Everything but {@link #staleMessages} runs in the connection's serial context.
 */
final class Inbox {
  /** How many senders' tokens are remembered. */
  private static final int MAX_SENDERS = 1_024;

  private final SynchronizationContext context;
  private final Notifier notifier;
  private final int capacity;
  private final FencingMemory tokens = new FencingMemory(MAX_SENDERS);
  private final AtomicLong staleMessages = new AtomicLong();
  private @Nullable ConnectStream stream;
  private int queued;
  private int credit;

  Inbox(SynchronizationContext context, Notifier notifier, int capacity) {
    this.context = context;
    this.notifier = notifier;
    this.capacity = capacity;
  }

  /** How many messages were dropped for their sender's outdated token. */
  long staleMessages() {
    return staleMessages.get();
  }

  /** Begins with a new stream and answers the credit that its first frame gives; at least 1. */
  int attach(ConnectStream newStream) {
    stream = newStream;
    credit = Math.max(1, capacity - queued);
    return credit;
  }

  /** The stream is gone; what arrived stays. */
  void detach() {
    stream = null;
  }

  /** Takes a message in. */
  void accept(Message message) {
    credit--;
    queued++;
    ReceivedMessage received = new ReceivedMessage(message);
    long token = received.senderFencingToken();
    long newest = tokens.learn(received.from(), token);
    if (newest == token) {
      notifier.message(received, this::consumed);
    } else {
      staleMessages.incrementAndGet();
      notifier.staleMessage(received, newest, this::consumed);
    }
  }

  private void consumed() {
    context.execute(this::free);
  }

  private void free() {
    queued--;
    int room = capacity - queued - credit;
    if (stream != null && room > 0 && room >= capacity / 2) {
      credit += room;
      stream.grant(room);
    }
  }
}
