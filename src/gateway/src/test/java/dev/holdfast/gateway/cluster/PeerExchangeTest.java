package dev.holdfast.gateway.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.InvalidProtocolBufferException;
import dev.holdfast.gateway.error.GatewayError;
import dev.holdfast.gateway.error.GatewayException;
import dev.holdfast.gateway.testing.FakeClock;
import dev.holdfast.protocol.peer.v1.CloseResult;
import dev.holdfast.protocol.peer.v1.ListConnections;
import dev.holdfast.protocol.peer.v1.PeerBatch;
import dev.holdfast.protocol.peer.v1.PeerReply;
import dev.holdfast.protocol.peer.v1.PeerRequest;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

/** Two gateways over a wire that a test can hold back, cut and make repeat itself. */
class PeerExchangeTest {
  private static final Duration TIMEOUT = Duration.ofSeconds(5);
  private static final Self A = self("gw-a", "00000000000000aa");
  private static final Self B = self("gw-b", "00000000000000bb");

  private final FakeClock clock = new FakeClock();
  private final Wire fromA = new Wire();
  private final Wire fromB = new Wire();
  private final List<String> handled = new ArrayList<>();
  private PeerHandler handler = request -> CompletableFuture.completedFuture(done());
  private final PeerExchange a =
      new PeerExchange(
          A, fromA, request -> handler.handle(request), limits(100, 1 << 20), clock.ticker());
  private final PeerExchange b =
      new PeerExchange(B, fromB, this::record, limits(100, 1 << 20), clock.ticker());

  @Test
  void ask_isAnswered() {
    CompletableFuture<PeerReply> answer = ask("1");
    deliverAll();

    assertThat(answer).isCompletedWithValue(done());
    assertThat(handled).containsExactly("1");
  }

  @Test
  void asks_whileABatchIsUnderWay_goTogetherInOrder() throws InvalidProtocolBufferException {
    for (int i = 0; i < 50; i++) {
      send(Integer.toString(i));
    }
    assertThat(fromA.published).hasSize(1);
    fromA.confirm();

    assertThat(fromA.published).hasSize(2);
    assertThat(fromA.batch(1).getFramesCount()).isEqualTo(49);
    assertThat(fromA.batch(1).getSequence()).isEqualTo(2);
    deliverAll();
    assertThat(handled).hasSize(50).first().isEqualTo("0");
    assertThat(handled).isSortedAccordingTo((x, y) -> Integer.parseInt(x) - Integer.parseInt(y));
  }

  @Test
  void batch_isLimitedInFramesAndBytes() throws InvalidProtocolBufferException {
    PeerExchange small =
        new PeerExchange(A, fromA, this::record, new PeerLimits(100, 1000, 3, 140), clock.ticker());
    String large = "x".repeat(60);
    send(small, "first");
    for (String session : new String[] {"1", "2", "3", "4", large, large, large, large + large}) {
      send(small, session);
    }
    for (int i = 0; i < 5; i++) {
      fromA.confirm();
    }

    assertThat(fromA.framesPerBatch()).containsExactly(1, 3, 2, 2, 1);
  }

  @Test
  void ask_beyondTheFramesOfALane_isOverloadedAndNotSent() {
    PeerExchange small =
        new PeerExchange(A, fromA, this::record, limits(10, 1 << 20), clock.ticker());
    for (int i = 0; i < 10; i++) {
      assertThat(ask(small, Integer.toString(i))).isNotDone();
    }

    assertFailed(ask(small, "11"), GatewayError.OVERLOADED);
    clock.advance(TIMEOUT);
    small.expire();
    fromA.confirm();
    assertThat(ask(small, "12")).isNotDone();
  }

  @Test
  void ask_beyondTheBytesOfALane_isOverloadedAndLeavesNoTrace() {
    PeerExchange small = new PeerExchange(A, fromA, this::record, limits(10, 100), clock.ticker());
    send(small, "under way");
    send(small, "x".repeat(200)); // One frame always fits into an empty lane.

    for (int i = 0; i < 20; i++) {
      assertFailed(ask(small, "no room"), GatewayError.OVERLOADED);
    }
    fromA.confirm();
    assertThat(ask(small, "room again")).isNotDone();
  }

  @Test
  void ask_unanswered_isUnreachableAtItsTimeout() {
    CompletableFuture<PeerReply> answer = ask("1");
    clock.advance(TIMEOUT.minusNanos(1));
    a.expire();
    assertThat(answer).isNotDone();
    clock.advance(Duration.ofNanos(1));
    a.expire();

    assertFailed(answer, GatewayError.GATEWAY_UNREACHABLE);
    deliverAll(); // The late answer changes nothing.
    assertThat(handled).containsExactly("1");
  }

  @Test
  void publish_thatNobodyReceived_failsAtOnce() {
    CompletableFuture<PeerReply> answer = ask("1");
    fromA.published.remove().received.complete(false);

    assertFailed(answer, GatewayError.GATEWAY_UNREACHABLE);
  }

  @Test
  void publish_thatFailed_failsItsRequestsAndTheLaneGoesOn() {
    CompletableFuture<PeerReply> first = ask("1");
    CompletableFuture<PeerReply> second = ask("2");
    fromA.published.remove().received.completeExceptionally(new IllegalStateException("cut"));

    assertFailed(first, GatewayError.GATEWAY_UNREACHABLE);
    deliverAll();
    assertThat(second).isCompletedWithValue(done());
  }

  @Test
  void batch_publishedTwice_isTakenOnce() {
    CompletableFuture<PeerReply> first = ask("1");
    byte[] bytes = fromA.published.peek().bytes;
    b.receive(bytes);
    deliverAll();
    send("2");
    deliverAll();
    b.receive(bytes);

    assertThat(first).isCompletedWithValue(done());
    assertThat(handled).containsExactly("1", "2");
  }

  @Test
  void batch_forAnotherBoot_isDropped() {
    a.ask("gw-b", "00000000000000b0", request("old boot"), TIMEOUT);
    b.receive(fromA.published.remove().bytes);

    assertThat(handled).isEmpty();
  }

  @Test
  void handler_thatFails_isAFailureReply() {
    handler = request -> CompletableFuture.failedFuture(new IllegalStateException("secret"));
    CompletableFuture<PeerReply> hidden = askA("1");
    handler =
        request -> {
          throw new GatewayException(GatewayError.TOO_LARGE, "It is too large.");
        };
    deliverAll();
    CompletableFuture<PeerReply> thrown = askA("2");
    deliverAll();

    assertThat(hidden.join().getFailure()).isNotEmpty();
    assertThat(thrown.join().getFailure()).isEqualTo("It is too large.");
  }

  @Test
  void garbage_isDroppedAndTheNextBatchIsTaken() {
    b.receive(new byte[] {1, 2, 3});
    b.receive(PeerBatch.newBuilder().setSequence(1).build().toByteArray());
    send("1");
    deliverAll();

    assertThat(handled).containsExactly("1");
  }

  @Test
  void close_failsWhatIsUnanswered() {
    CompletableFuture<PeerReply> answer = ask("1");
    a.close();

    assertFailed(answer, GatewayError.GATEWAY_UNREACHABLE);
  }

  private CompletionStage<PeerReply> record(PeerRequest request) {
    handled.add(request.getListConnections().getSessionId());
    return CompletableFuture.completedFuture(done());
  }

  /** Asks without looking at the answer. */
  private void send(String session) {
    send(a, session);
  }

  private static void send(PeerExchange from, String session) {
    var unused = ask(from, session);
  }

  private CompletableFuture<PeerReply> ask(String session) {
    return ask(a, session);
  }

  private static CompletableFuture<PeerReply> ask(PeerExchange from, String session) {
    return from.ask(B.id(), B.epoch(), request(session), TIMEOUT).toCompletableFuture();
  }

  private CompletableFuture<PeerReply> askA(String session) {
    return b.ask(A.id(), A.epoch(), request(session), TIMEOUT).toCompletableFuture();
  }

  private void deliverAll() {
    while (!fromA.published.isEmpty() || !fromB.published.isEmpty()) {
      fromA.deliverTo(b);
      fromB.deliverTo(a);
    }
  }

  private static void assertFailed(CompletableFuture<PeerReply> answer, GatewayError error) {
    assertThatThrownBy(answer::join)
        .isInstanceOf(CompletionException.class)
        .cause()
        .isInstanceOfSatisfying(
            GatewayException.class, e -> assertThat(e.error()).isEqualTo(error));
  }

  private static PeerRequest request(String session) {
    return PeerRequest.newBuilder()
        .setListConnections(ListConnections.newBuilder().setSessionId(session))
        .build();
  }

  private static PeerReply done() {
    return PeerReply.newBuilder()
        .setCloseConnection(CloseResult.newBuilder().setFound(true))
        .build();
  }

  private static PeerLimits limits(int frames, long bytes) {
    return new PeerLimits(frames, bytes, 100, 1 << 20);
  }

  private static Self self(String id, String epoch) {
    return new Self(id, epoch, "1.0", Instant.EPOCH);
  }

  private static final class Published {
    private final byte[] bytes;
    private final CompletableFuture<Boolean> received = new CompletableFuture<>();

    Published(byte[] bytes) {
      this.bytes = bytes;
    }
  }

  private static final class Wire implements PeerWire {
    private final Deque<Published> published = new ArrayDeque<>();
    private final List<byte[]> all = new ArrayList<>();
    private final Deque<Published> unconfirmed = new ArrayDeque<>();

    @Override
    public CompletionStage<Boolean> publish(PeerAddress to, byte[] batch) {
      Published sent = new Published(batch);
      published.add(sent);
      all.add(batch);
      unconfirmed.add(sent);
      return sent.received;
    }

    /** Says that the oldest batch was received, without delivering it. */
    void confirm() {
      unconfirmed.remove().received.complete(true);
    }

    void deliverTo(PeerExchange receiver) {
      Published next = published.poll();
      if (next != null) {
        receiver.receive(next.bytes);
        next.received.complete(true);
      }
    }

    PeerBatch batch(int index) throws InvalidProtocolBufferException {
      return PeerBatch.parseFrom(all.get(index));
    }

    List<Integer> framesPerBatch() throws InvalidProtocolBufferException {
      List<Integer> counts = new ArrayList<>();
      for (byte[] batch : all) {
        counts.add(PeerBatch.parseFrom(batch).getFramesCount());
      }
      return counts;
    }
  }
}
