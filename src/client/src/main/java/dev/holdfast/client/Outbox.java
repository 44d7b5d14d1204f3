package dev.holdfast.client;

import dev.holdfast.protocol.gateway.v1.Rejected;
import dev.holdfast.protocol.gateway.v1.SendMessage;
import io.grpc.SynchronizationContext;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;

/**
 * The messages that have no receipt yet: those on their way, and those that wait for the transport
 * to have room. Their number is bounded; a send beyond it is rejected at once.
 *
 * <p>{@link #send} may be called on every thread; the rest runs in the connection's serial context.
 */
final class Outbox {
  private static final String ARRIVAL_UNKNOWN =
      "the stream ended before the receipt came; the message may have arrived";
  private static final String NO_STREAM =
      "there is no stream to the gateway just now; the message did not leave this client";

  private record Pending(SendMessage message, CompletableFuture<Receipt> receipt) {
    String id() {
      return message.getCorrelationId();
    }
  }

  private final SynchronizationContext context;
  private final Executor completions;
  private final int maxUnreceipted;
  private final Semaphore room;
  private final Map<String, Pending> unsent = new LinkedHashMap<>();
  private final Map<String, Pending> unreceipted = new LinkedHashMap<>();
  private @Nullable ConnectStream stream;
  private int maxPayloadBytes;

  Outbox(SynchronizationContext context, Executor completions, int maxUnreceipted) {
    this.context = context;
    this.completions = completions;
    this.maxUnreceipted = maxUnreceipted;
    this.room = new Semaphore(maxUnreceipted);
  }

  CompletionStage<Receipt> send(SendMessage message) {
    Pending pending = new Pending(message, new CompletableFuture<>());
    if (room.tryAcquire()) {
      context.execute(() -> accept(pending));
    } else {
      complete(
          pending,
          Reasons.TOO_MANY_UNRECEIPTED,
          maxUnreceipted + " messages wait for their receipts; wait for one, then send again");
    }
    return pending.receipt().minimalCompletionStage();
  }

  /** Begins to send on a stream whose acknowledgement has arrived; no payload limit if 0. */
  void attach(ConnectStream acknowledged, int payloadLimitBytes) {
    stream = acknowledged;
    maxPayloadBytes = payloadLimitBytes;
  }

  /** The transport may have room again. */
  void flush() {
    while (stream != null && stream.isReady() && !unsent.isEmpty()) {
      Pending next = unsent.values().iterator().next();
      unsent.remove(next.id());
      unreceipted.put(next.id(), next);
      stream.send(next.message());
    }
  }

  /** A receipt arrived; one that nobody waits for is ignored. */
  void receipt(dev.holdfast.protocol.gateway.v1.Receipt receipt) {
    Pending pending = unreceipted.remove(receipt.getCorrelationId());
    if (pending != null) {
      room.release();
      complete(pending, toReceipt(receipt));
    }
  }

  /** The stream is gone: what it carried may have arrived, what still waited has not. */
  void detach() {
    stream = null;
    unreceipted.values().forEach(p -> fail(p, Reasons.DELIVERY_UNKNOWN, ARRIVAL_UNKNOWN));
    unreceipted.clear();
    unsent.values().forEach(p -> fail(p, Reasons.NOT_SENT, NO_STREAM));
    unsent.clear();
  }

  private void accept(Pending pending) {
    int size = pending.message().getPayload().size();
    if (stream == null) {
      fail(pending, Reasons.NOT_SENT, NO_STREAM);
    } else if (maxPayloadBytes != 0 && size > maxPayloadBytes) {
      fail(
          pending,
          Reasons.TOO_LARGE,
          "the payload has " + size + " bytes, the gateway accepts at most " + maxPayloadBytes);
    } else if (unsent.containsKey(pending.id()) || unreceipted.containsKey(pending.id())) {
      fail(
          pending,
          Reasons.DUPLICATE_CORRELATION_ID,
          "a message with the correlation id '" + pending.id() + "' waits for its receipt");
    } else {
      unsent.put(pending.id(), pending);
      flush();
    }
  }

  private void fail(Pending pending, String reason, String message) {
    room.release();
    complete(pending, reason, message);
  }

  private void complete(Pending pending, String reason, String message) {
    complete(pending, new Receipt.Rejected(pending.id(), reason, message, Optional.empty()));
  }

  /** On another thread, because what the application does next may block. */
  private void complete(Pending pending, Receipt receipt) {
    completions.execute(() -> pending.receipt().complete(receipt));
  }

  private static Receipt toReceipt(dev.holdfast.protocol.gateway.v1.Receipt receipt) {
    String id = receipt.getCorrelationId();
    if (receipt.hasAccepted()) {
      return new Receipt.Accepted(id);
    }
    Rejected rejected = receipt.getRejected();
    return new Receipt.Rejected(
        id,
        rejected.getReason(),
        rejected.getMessage(),
        rejected.hasRetryAfter()
            ? Optional.of(Failures.toDuration(rejected.getRetryAfter()))
            : Optional.empty());
  }
}
