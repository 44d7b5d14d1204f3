package dev.holdfast.gateway.cluster;

import com.google.protobuf.InvalidProtocolBufferException;
import dev.holdfast.gateway.error.GatewayError;
import dev.holdfast.gateway.error.GatewayException;
import dev.holdfast.protocol.peer.v1.PeerBatch;
import dev.holdfast.protocol.peer.v1.PeerFrame;
import dev.holdfast.protocol.peer.v1.PeerReply;
import dev.holdfast.protocol.peer.v1.PeerRequest;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Requests and replies between gateways, over a wire that may lose batches or carry them twice.
 *
 * <p>Thread-safe; {@link #receive} is to be called by one thread at a time, {@link #expire} every
 * now and then.
 */
final class PeerExchange implements PeerBus {
  // Lanes and the last sequence of each sender are kept for as long as this gateway runs: were a
  // sequence forgotten, a batch could be taken twice, or a new one for old. There is one of each
  // for
  // every boot of another gateway that this one ever met, so they stay few.

  private static final Duration RETRY_AFTER = Duration.ofSeconds(1);

  private final Self self;
  private final PeerWire wire;
  private final PeerHandler handler;
  private final PeerLimits limits;
  private final LongSupplier ticker;
  private final AtomicLong requestIds = new AtomicLong();
  private final Map<Long, Asked> unanswered = new ConcurrentHashMap<>();
  private final Map<PeerAddress, Peer> peers = new ConcurrentHashMap<>();

  PeerExchange(
      Self self, PeerWire wire, PeerHandler handler, PeerLimits limits, LongSupplier ticker) {
    this.self = self;
    this.wire = wire;
    this.handler = handler;
    this.limits = limits;
    this.ticker = ticker;
  }

  private record Asked(PeerAddress of, long deadlineNanos, CompletableFuture<PeerReply> answer) {}

  private static final class Peer {
    final PeerLane lane;
    final AtomicInteger unanswered = new AtomicInteger();
    final AtomicLong lastSequence = new AtomicLong();

    Peer(PeerLane lane) {
      this.lane = lane;
    }
  }

  @Override
  public CompletionStage<PeerReply> ask(
      String gatewayId, String epoch, PeerRequest request, Duration timeout) {
    PeerAddress address = new PeerAddress(gatewayId, epoch);
    Peer peer = peer(address);
    if (peer.unanswered.incrementAndGet() > limits.frames()) {
      peer.unanswered.decrementAndGet();
      return CompletableFuture.failedFuture(overloaded(gatewayId));
    }
    long id = requestIds.incrementAndGet();
    Asked asked =
        new Asked(address, ticker.getAsLong() + timeout.toNanos(), new CompletableFuture<>());
    unanswered.put(id, asked);
    if (!peer.lane.offer(PeerFrame.newBuilder().setRequestId(id).setRequest(request).build())) {
      finish(id, null, overloaded(gatewayId));
    }
    return asked.answer.minimalCompletionStage();
  }

  /** Takes a batch that arrived for this gateway. Never throws. */
  void receive(byte[] bytes) {
    try {
      PeerBatch batch = PeerBatch.parseFrom(bytes);
      PeerAddress from = new PeerAddress(batch.getFromGateway(), batch.getFromEpoch());
      Peer peer = peer(from);
      boolean forThisBoot = batch.getToEpoch().equals(self.epoch());
      long last = peer.lastSequence.get();
      if (forThisBoot && batch.getSequence() > last) {
        peer.lastSequence.set(batch.getSequence());
        batch.getFramesList().forEach(frame -> take(from, peer, frame));
      }
    } catch (InvalidProtocolBufferException e) {
      ClusterLog.unreadableBatch(String.valueOf(e.getMessage()));
    } catch (RuntimeException e) { // The next batch must still be heard.
      ClusterLog.defect("the peer bus", e);
    }
  }

  /** Fails the requests whose time has run out. */
  void expire() {
    long now = ticker.getAsLong();
    unanswered.forEach(
        (id, asked) -> {
          if (asked.deadlineNanos - now <= 0) {
            finish(id, null, unreachable(asked.of.gatewayId(), "did not answer in time"));
          }
        });
  }

  /** Fails every request that is not answered yet. */
  void close() {
    unanswered.forEach(
        (id, asked) ->
            finish(id, null, unreachable(asked.of.gatewayId(), "was asked by one that stops")));
  }

  private Peer peer(PeerAddress address) {
    return peers.computeIfAbsent(
        address,
        to -> new Peer(new PeerLane(self, to, wire, limits, frame -> undelivered(to, frame))));
  }

  private void take(PeerAddress from, Peer peer, PeerFrame frame) {
    switch (frame.getBodyCase()) {
      case REQUEST ->
          answer(frame.getRequest())
              .whenComplete((reply, failure) -> reply(from, peer, frame, reply, failure));
      case REPLY -> finish(frame.getRequestId(), frame.getReply(), null);
      case BODY_NOT_SET -> ClusterLog.unreadableBatch("a frame of no known kind");
    }
  }

  private CompletionStage<PeerReply> answer(PeerRequest request) {
    try {
      return handler.handle(request);
    } catch (RuntimeException e) { // The asking gateway is to hear of it.
      return CompletableFuture.failedFuture(e);
    }
  }

  private static void reply(
      PeerAddress to,
      Peer peer,
      PeerFrame request,
      @Nullable PeerReply reply,
      @Nullable Throwable failure) {
    PeerFrame.Builder frame = PeerFrame.newBuilder().setRequestId(request.getRequestId());
    if (reply != null) {
      frame.setReply(reply);
    } else {
      frame.setReply(PeerReply.newBuilder().setFailure(inWords(failure)));
    }
    if (!peer.lane.offer(frame.build())) {
      ClusterLog.replyDropped(to.gatewayId());
    }
  }

  private static String inWords(@Nullable Throwable failure) {
    Throwable cause =
        failure instanceof CompletionException && failure.getCause() != null
            ? failure.getCause()
            : failure;
    if (cause instanceof GatewayException known) {
      return known.getMessage();
    }
    if (cause != null) {
      ClusterLog.defect("the answer to another gateway", cause);
    }
    return "The asked gateway met a defect; its log has the details.";
  }

  private void undelivered(PeerAddress to, PeerFrame frame) {
    if (frame.hasRequest()) {
      finish(frame.getRequestId(), null, unreachable(to.gatewayId(), "could not be reached"));
    }
  }

  private void finish(long id, @Nullable PeerReply reply, @Nullable GatewayException failure) {
    Asked asked = unanswered.remove(id);
    if (asked == null) {
      return;
    }
    peer(asked.of).unanswered.decrementAndGet();
    if (reply != null) {
      asked.answer.complete(reply);
    } else if (failure != null) {
      asked.answer.completeExceptionally(failure);
    }
  }

  private static GatewayException overloaded(String gatewayId) {
    return new GatewayException(
        GatewayError.OVERLOADED,
        "Too much is queued for gateway '%s'; it was not sent.".formatted(gatewayId),
        RETRY_AFTER);
  }

  private static GatewayException unreachable(String gatewayId, String what) {
    return new GatewayException(
        GatewayError.GATEWAY_UNREACHABLE,
        "Gateway '%s' %s; it may still have acted.".formatted(gatewayId, what),
        RETRY_AFTER);
  }
}
