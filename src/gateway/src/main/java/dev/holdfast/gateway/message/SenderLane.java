package dev.holdfast.gateway.message;

import dev.holdfast.gateway.error.GatewayError;
import dev.holdfast.gateway.error.GatewayException;
import dev.holdfast.gateway.lock.LockRecord;
import dev.holdfast.protocol.gateway.v1.ConnectResponse;
import dev.holdfast.protocol.gateway.v1.SendMessage;
import dev.holdfast.protocol.peer.v1.Deliver;
import dev.holdfast.protocol.peer.v1.PeerReply;
import dev.holdfast.protocol.peer.v1.PeerRequest;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The messages of one sender, in order.
 *
 * <p>While nothing of the sender is under way to another gateway, a message to a receiver of this
 * gateway is handed over at once, on the sender's thread. Otherwise it queues behind what was sent
 * before it, wherever that goes: a receiver that moves to this gateway never sees a later message
 * before an earlier one, and receipts come in the order of sending. Several messages may be under
 * way at once, but only to one gateway, whose bus keeps their order.
 *
 * <p>{@link #send} is called by one thread at a time; completions come on any thread. What is
 * queued is confined to {@link #serial}.
 */
public final class SenderLane {
  /** One boot of a gateway. */
  private record Target(String gatewayId, String epoch) {}

  private static final class Entry {
    final String correlationId;
    final int bytes;
    final @Nullable SendMessage message; // Null if it is not to be delivered.
    @Nullable ConnectResponse receipt;
    boolean locating;
    boolean located;
    @Nullable LockRecord holder;

    Entry(String correlationId, int bytes, @Nullable SendMessage message) {
      this.correlationId = correlationId;
      this.bytes = bytes;
      this.message = message;
    }
  }

  private final MessageRouter router;
  private final String from;
  private final long token;
  private final Consumer<ConnectResponse> receipts;
  private final SerialContext serial = new SerialContext(MessageLog::defect);

  /** How many messages have no receipt yet. Grows on the sender's thread only. */
  private final AtomicInteger pending = new AtomicInteger();

  private final Queue<Entry> inOrder = new ArrayDeque<>();
  private final Queue<Entry> undispatched = new ArrayDeque<>();
  private @Nullable Target target;
  private int underWay;
  private int queuedBytes;

  SenderLane(MessageRouter router, String from, long token, Consumer<ConnectResponse> receipts) {
    this.router = router;
    this.from = from;
    this.token = token;
    this.receipts = receipts;
  }

  /** Sends a message; its receipt follows, later or at once. */
  public void send(SendMessage message) {
    if (pending.get() == 0) {
      ConnectResponse receipt = tryAtOnce(message);
      if (receipt != null) {
        receipts.accept(receipt);
        return;
      }
    }
    pending.incrementAndGet();
    serial.execute(() -> enqueue(message));
  }

  /** Returns the receipt if no other gateway need be asked, else null. */
  private @Nullable ConnectResponse tryAtOnce(SendMessage message) {
    Rejection wrong = MessageCheck.fields(message, router.limits.maxPayloadBytes());
    if (wrong != null) {
      return router.reject(message.getCorrelationId(), wrong);
    }
    Outbox local = router.receivers.find(message.getTo());
    return local == null ? null : handOver(message, local);
  }

  private ConnectResponse handOver(SendMessage message, Outbox receiver) {
    Outbox.Offer offer =
        receiver.offer(Frames.message(from, token, message), message.getPayload().size());
    return switch (offer) {
      case ACCEPTED -> router.accept(message.getCorrelationId());
      case FULL ->
          router.reject(message.getCorrelationId(), Rejection.receiverFull(message.getTo()));
      case CLOSED -> notConnected(message);
    };
  }

  private ConnectResponse notConnected(SendMessage message) {
    router.count(GatewayError.NOT_CONNECTED);
    return router.undeliverable.notConnected(message);
  }

  private void enqueue(SendMessage message) {
    Rejection wrong = MessageCheck.fields(message, router.limits.maxPayloadBytes());
    if (wrong == null && isFull(message.getPayload().size())) {
      wrong = Rejection.laneFull(message.getTo());
    }
    if (wrong == null) {
      admit(message);
    } else {
      Entry entry = new Entry(message.getCorrelationId(), 0, null);
      entry.receipt = router.reject(message.getCorrelationId(), wrong);
      inOrder.add(entry);
    }
    advance();
  }

  private boolean isFull(int bytes) {
    return !inOrder.isEmpty()
        && (inOrder.size() >= router.limits.queueCapacity()
            || queuedBytes + bytes > router.limits.queueBytes());
  }

  private void admit(SendMessage message) {
    Entry entry = new Entry(message.getCorrelationId(), message.getPayload().size(), message);
    queuedBytes += entry.bytes;
    inOrder.add(entry);
    undispatched.add(entry);
    if (router.receivers.find(message.getTo()) == null) {
      locate(entry, message);
    }
  }

  private void locate(Entry entry, SendMessage message) {
    entry.locating = true;
    try {
      router
          .cluster
          .lock()
          .find(MessageCheck.receiver(message))
          .<@Nullable LockRecord>thenApply(found -> found.orElse(null))
          .whenComplete(
              (holder, failure) -> serial.execute(() -> onLocated(entry, holder, failure)));
    } catch (GatewayException e) {
      entry.receipt =
          router.reject(
              entry.correlationId, Rejection.never(GatewayError.INVALID_MESSAGE, e.getMessage()));
    }
  }

  private void onLocated(Entry entry, @Nullable LockRecord holder, @Nullable Throwable failure) {
    entry.located = true;
    entry.holder = holder;
    if (failure != null && entry.receipt == null) {
      entry.receipt = router.reject(entry.correlationId, Rejection.lookupFailed(failure));
    }
    advance();
  }

  private void advance() {
    for (Entry next = undispatched.peek();
        next != null && dispatch(next);
        next = undispatched.peek()) {
      undispatched.remove();
    }
    for (Entry first = inOrder.peek();
        first != null && first.receipt != null;
        first = inOrder.peek()) {
      inOrder.remove();
      queuedBytes -= first.bytes;
      receipts.accept(first.receipt);
      pending.decrementAndGet();
    }
  }

  /** Returns false if the entry, and all after it, must wait. */
  private boolean dispatch(Entry entry) {
    SendMessage message = entry.message;
    if (entry.receipt != null || message == null) {
      return true;
    }
    Outbox local = router.receivers.find(message.getTo());
    if (local != null) {
      if (underWay > 0) {
        return false;
      }
      entry.receipt = handOver(message, local);
      return true;
    }
    if (entry.located) {
      return dispatch(entry, message, entry.holder);
    }
    if (!entry.locating) {
      locate(entry, message); // It was connected here when it was admitted.
    }
    return entry.receipt != null;
  }

  private boolean dispatch(Entry entry, SendMessage message, @Nullable LockRecord holder) {
    if (holder == null || holder.gatewayEpoch().equals(router.cluster.self().epoch())) {
      entry.receipt = notConnected(message);
      return true;
    }
    Target next = new Target(holder.gatewayId(), holder.gatewayEpoch());
    if (underWay > 0 && !next.equals(target)) {
      return false;
    }
    target = next;
    underWay++;
    router
        .cluster
        .bus()
        .ask(next.gatewayId(), next.epoch(), deliverRequest(message), timeout())
        .whenComplete((reply, failure) -> serial.execute(() -> onReply(entry, reply, failure)));
    return true;
  }

  private Duration timeout() {
    return router.limits.deliveryTimeout();
  }

  private PeerRequest deliverRequest(SendMessage message) {
    return PeerRequest.newBuilder()
        .setDeliver(
            Deliver.newBuilder()
                .setTo(message.getTo())
                .setFrom(from)
                .setSenderFencingToken(token)
                .setCorrelationId(message.getCorrelationId())
                .setPayload(message.getPayload())
                .setContentType(message.getContentType()))
        .build();
  }

  private void onReply(Entry entry, @Nullable PeerReply reply, @Nullable Throwable failure) {
    underWay--;
    SendMessage message = entry.message;
    if (message != null) {
      entry.receipt = receiptOf(message, reply, failure);
    }
    advance();
  }

  private ConnectResponse receiptOf(
      SendMessage message, @Nullable PeerReply reply, @Nullable Throwable failure) {
    String id = message.getCorrelationId();
    if (reply == null) {
      return router.reject(id, Rejection.ofFailedAsk(message.getTo(), failure));
    }
    if (!reply.hasDeliver()) {
      return router.reject(id, Rejection.unknown(message.getTo(), reply.getFailure()));
    }
    String reason = reply.getDeliver().getReason();
    if (reason.isEmpty()) {
      return router.accept(id);
    }
    return reason.equals(GatewayError.NOT_CONNECTED.name())
        ? notConnected(message)
        : router.reject(id, Rejection.ofPeer(message.getTo(), reply.getDeliver()));
  }
}
