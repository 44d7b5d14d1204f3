package dev.holdfast.gateway.message;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import dev.holdfast.gateway.cluster.Self;
import dev.holdfast.gateway.error.GatewayError;
import dev.holdfast.gateway.error.GatewayException;
import dev.holdfast.gateway.identity.ConnectionId;
import dev.holdfast.gateway.identity.Identity;
import dev.holdfast.gateway.lock.LockRecord;
import dev.holdfast.gateway.telemetry.Meter;
import dev.holdfast.gateway.testing.FakeBus;
import dev.holdfast.gateway.testing.FakeClock;
import dev.holdfast.gateway.testing.MemoryIdentityLock;
import dev.holdfast.gateway.testing.RecordingMeters;
import dev.holdfast.gateway.testing.RecordingStream;
import dev.holdfast.protocol.gateway.v1.ConnectResponse;
import dev.holdfast.protocol.gateway.v1.ConnectionAck;
import dev.holdfast.protocol.gateway.v1.Receipt;
import dev.holdfast.protocol.gateway.v1.SendMessage;
import dev.holdfast.protocol.peer.v1.Deliver;
import dev.holdfast.protocol.peer.v1.DeliverResult;
import dev.holdfast.protocol.peer.v1.PeerReply;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class SenderLaneTest {
  private static final String HERE = "agent/acme/builder/here";
  private static final String ON_2 = "agent/acme/builder/on2";
  private static final String ON_3 = "agent/acme/builder/on3";

  private final MemoryIdentityLock locks = new MemoryIdentityLock(new FakeClock().wallClock());
  private final FakeBus bus = new FakeBus();
  private final RecordingMeters meters = new RecordingMeters();
  private final Map<String, Outbox> local = new HashMap<>();
  private final Map<String, RecordingStream> streams = new HashMap<>();
  private final List<Receipt> receipts = new ArrayList<>();
  private final MessageLimits limits = new MessageLimits(100, 4, 1000, Duration.ofSeconds(5));
  private final MessageRouter router =
      new MessageRouter(
          new MessageRouter.Cluster(
              new Self("gw-1", "e1", "test", Instant.EPOCH), locks.on("gw-1", "e1"), bus),
          local::get,
          limits,
          UndeliverableMessages.refused(),
          meters);
  private final SenderLane lane =
      router.lane(
          Identity.parse("agent/acme/builder/me"), 42, frame -> receipts.add(frame.getReceipt()));

  SenderLaneTest() {
    connectHere(HERE);
    hold(ON_2, "gw-2", "e2");
    hold(ON_3, "gw-3", "e3");
  }

  @Test
  void send_local_isDeliveredAtOnceWithTheToken() {
    lane.send(message("1", HERE));

    ConnectResponse delivered = lastOf(HERE);
    assertThat(delivered.getMessage().getFrom()).isEqualTo("agent/acme/builder/me");
    assertThat(delivered.getMessage().getSenderFencingToken()).isEqualTo(42);
    assertThat(delivered.getMessage().getContentType()).isEqualTo("text/plain");
    assertThat(outcomes()).containsExactly("1 accepted");
    assertThat(meters.total(Meter.MESSAGES, "accepted")).isEqualTo(1);
  }

  @Test
  void send_remote_asksTheGatewayThatHoldsTheReceiver() {
    lane.send(message("1", ON_2));

    FakeBus.Asked asked = bus.asked().get(0);
    Deliver deliver = asked.request().getDeliver();
    assertThat(asked.gatewayId()).isEqualTo("gw-2");
    assertThat(asked.epoch()).isEqualTo("e2");
    assertThat(deliver.getTo()).isEqualTo(ON_2);
    assertThat(deliver.getFrom()).isEqualTo("agent/acme/builder/me");
    assertThat(deliver.getSenderFencingToken()).isEqualTo(42);
    assertThat(outcomes()).isEmpty();
    accept(0);
    assertThat(outcomes()).containsExactly("1 accepted");
  }

  @Test
  void send_severalToOneGateway_areUnderWayTogether() {
    lane.send(message("1", ON_2));
    lane.send(message("2", ON_2));
    assertThat(bus.asked()).hasSize(2);

    accept(1);
    assertThat(outcomes()).isEmpty();
    accept(0);

    assertThat(outcomes()).containsExactly("1 accepted", "2 accepted");
  }

  @Test
  void send_toAnotherGateway_waitsForTheFirst() {
    lane.send(message("1", ON_2));
    lane.send(message("2", ON_3));
    assertThat(bus.asked()).hasSize(1);

    accept(0);

    assertThat(bus.asked()).hasSize(2);
    accept(1);
    assertThat(outcomes()).containsExactly("1 accepted", "2 accepted");
  }

  @Test
  void send_localBehindRemote_keepsTheOrder() {
    lane.send(message("1", ON_2));
    lane.send(message("2", HERE));
    assertThat(lastOf(HERE).hasAck()).isTrue();

    accept(0);

    assertThat(lastOf(HERE).getMessage().getCorrelationId()).isEqualTo("2");
    assertThat(outcomes()).containsExactly("1 accepted", "2 accepted");
    lane.send(message("3", HERE));
    assertThat(outcomes()).hasSize(3);
  }

  /** The receiver moves here while an earlier message to it is under way elsewhere. */
  @Test
  void send_receiverMovesHere_neverSeesALaterMessageFirst() {
    lane.send(message("1", ON_2));
    connectHere(ON_2);

    lane.send(message("2", ON_2));

    assertThat(lastOf(ON_2).hasAck()).isTrue();
    reject(0, GatewayError.NOT_CONNECTED);
    assertThat(lastOf(ON_2).getMessage().getCorrelationId()).isEqualTo("2");
    assertThat(outcomes()).containsExactly("1 NOT_CONNECTED", "2 accepted");
  }

  @Test
  void send_receiverLeavesWhileQueued_isLookedUpThen() {
    lane.send(message("1", ON_2));
    lane.send(message("2", HERE));
    local.remove(HERE);
    hold(HERE, "gw-3", "e3");

    accept(0);

    assertThat(bus.asked()).hasSize(2);
    assertThat(bus.asked().get(1).gatewayId()).isEqualTo("gw-3");
  }

  @Test
  void send_laneFull_isOverloadedInOrder() {
    for (int i = 1; i <= 5; i++) {
      lane.send(message(Integer.toString(i), ON_2));
    }
    assertThat(outcomes()).isEmpty();

    for (int i = 0; i < 4; i++) {
      accept(i);
    }

    assertThat(outcomes())
        .containsExactly("1 accepted", "2 accepted", "3 accepted", "4 accepted", "5 OVERLOADED");
    assertThat(receipts.get(4).getRejected().hasRetryAfter()).isTrue();
  }

  @Test
  void send_nobodyHoldsIt_isNotConnected() {
    lane.send(message("1", "agent/acme/builder/nobody"));

    assertThat(outcomes()).containsExactly("1 NOT_CONNECTED");
    assertThat(receipts.get(0).getRejected().hasRetryAfter()).isTrue();
    assertThat(meters.total(Meter.MESSAGES, "not_connected")).isEqualTo(1);
  }

  @Test
  void send_heldHereButNotInTheRegistry_isNotConnected() {
    hold("agent/acme/builder/closing", "gw-1", "e1");

    lane.send(message("1", "agent/acme/builder/closing"));

    assertThat(outcomes()).containsExactly("1 NOT_CONNECTED");
    assertThat(bus.asked()).isEmpty();
  }

  @Test
  void send_invalid_isRefusedByField() {
    lane.send(message("1", "agent/acme"));
    lane.send(message("", HERE));
    lane.send(message("x".repeat(101), HERE));
    lane.send(message("é".repeat(51), HERE));
    lane.send(message("2", HERE).toBuilder().setContentType("t".repeat(101)).build());
    lane.send(message("3", HERE).toBuilder().setPayload(bytes(101)).build());

    assertThat(receipts)
        .extracting(receipt -> receipt.getRejected().getReason())
        .containsExactly(
            "INVALID_MESSAGE",
            "INVALID_MESSAGE",
            "INVALID_MESSAGE",
            "INVALID_MESSAGE",
            "INVALID_MESSAGE",
            "TOO_LARGE");
  }

  @Test
  void send_receiverReadsTooSlowly_isOverloaded() {
    streamOf(HERE).setReady(false);

    for (int i = 0; i < 5; i++) {
      lane.send(message("m" + i, HERE));
    }

    assertThat(outcomes()).contains("m3 accepted", "m4 OVERLOADED");
  }

  @Test
  void send_otherGatewaysAnswers_becomeReceipts() {
    lane.send(message("1", ON_2));
    lane.send(message("2", ON_2));
    lane.send(message("3", ON_2));
    lane.send(message("4", ON_2));

    fail(0, GatewayError.OVERLOADED);
    fail(1, GatewayError.GATEWAY_UNREACHABLE);
    reject(2, GatewayError.OVERLOADED);
    bus.asked().get(3).reply().complete(PeerReply.newBuilder().setFailure("defect").build());

    assertThat(outcomes())
        .containsExactly(
            "1 OVERLOADED", "2 DELIVERY_UNKNOWN", "3 OVERLOADED", "4 DELIVERY_UNKNOWN");
    assertThat(receipts.get(1).getRejected().hasRetryAfter()).isFalse();
  }

  @Test
  void send_redisGone_saysThatTheMessageWasNotSent() {
    locks.down(true);

    lane.send(message("1", ON_2));

    assertThat(outcomes()).containsExactly("1 LOCK_STORE_UNAVAILABLE");
    assertThat(bus.asked()).isEmpty();
  }

  @Test
  void send_lookupsAnsweredLate_keepTheOrder() {
    locks.holdBackAnswers(true);
    lane.send(message("1", ON_2));
    lane.send(message("2", "agent/acme/builder/nobody"));
    assertThat(bus.asked()).isEmpty();

    locks.answerNext();
    locks.answerNext();
    assertThat(outcomes()).isEmpty();
    accept(0);

    assertThat(outcomes()).containsExactly("1 accepted", "2 NOT_CONNECTED");
  }

  private void connectHere(String identity) {
    RecordingStream stream = new RecordingStream();
    Outbox outbox = new Outbox(stream, limits, new OutboxMeters(meters), () -> {});
    outbox.open(ConnectResponse.newBuilder().setAck(ConnectionAck.getDefaultInstance()).build(), 0);
    streams.put(identity, stream);
    local.put(identity, outbox);
  }

  private void hold(String identity, String gatewayId, String epoch) {
    locks.put(
        Identity.parse(identity),
        new LockRecord(
            ConnectionId.random(new SecureRandom()), 1, gatewayId, epoch, "key", Instant.EPOCH));
  }

  private RecordingStream streamOf(String identity) {
    RecordingStream stream = streams.get(identity);
    if (stream == null) {
      throw new AssertionError("not connected here: " + identity);
    }
    return stream;
  }

  private ConnectResponse lastOf(String identity) {
    List<ConnectResponse> sent = streamOf(identity).sent();
    return sent.get(sent.size() - 1);
  }

  private void accept(int index) {
    answer(index, DeliverResult.getDefaultInstance());
  }

  private void reject(int index, GatewayError reason) {
    answer(index, DeliverResult.newBuilder().setReason(reason.name()).build());
  }

  private void answer(int index, DeliverResult result) {
    bus.asked().get(index).reply().complete(PeerReply.newBuilder().setDeliver(result).build());
  }

  private void fail(int index, GatewayError error) {
    bus.asked().get(index).reply().completeExceptionally(new GatewayException(error, "no"));
  }

  private List<String> outcomes() {
    return receipts.stream()
        .map(
            receipt ->
                receipt.getCorrelationId()
                    + " "
                    + (receipt.hasAccepted() ? "accepted" : receipt.getRejected().getReason()))
        .toList();
  }

  private static SendMessage message(String id, String to) {
    return SendMessage.newBuilder()
        .setCorrelationId(id)
        .setTo(to)
        .setContentType("text/plain")
        .setPayload(bytes(10))
        .build();
  }

  private static ByteString bytes(int count) {
    return ByteString.copyFrom(new byte[count]);
  }
}
