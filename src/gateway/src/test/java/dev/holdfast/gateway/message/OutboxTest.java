package dev.holdfast.gateway.message;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.gateway.error.GatewayError;
import dev.holdfast.gateway.error.GatewayException;
import dev.holdfast.gateway.telemetry.Meter;
import dev.holdfast.gateway.testing.RecordingMeters;
import dev.holdfast.gateway.testing.RecordingStream;
import dev.holdfast.protocol.gateway.v1.ConnectResponse;
import dev.holdfast.protocol.gateway.v1.ConnectResponse.FrameCase;
import dev.holdfast.protocol.gateway.v1.ConnectionAck;
import dev.holdfast.protocol.gateway.v1.LeaseState;
import dev.holdfast.protocol.gateway.v1.Message;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

final class OutboxTest {
  private static final ConnectResponse ACK =
      ConnectResponse.newBuilder().setAck(ConnectionAck.getDefaultInstance()).build();
  private static final MessageLimits LIMITS =
      new MessageLimits(1000, 3, 100, Duration.ofSeconds(5));

  private final RecordingStream stream = new RecordingStream();
  private final RecordingMeters meters = new RecordingMeters();
  private final Outbox outbox =
      new Outbox(stream, LIMITS, new OutboxMeters(meters), () -> stream.requestFrames(1));

  @Test
  void open_afterControlFrames_sendsTheAckFirst() {
    outbox.goingAway(Frames.goingAway("stop", Duration.ZERO, Instant.EPOCH));
    outbox.lease(lease(LeaseState.LEASE_STATE_SUSPECT));
    assertThat(stream.sent()).isEmpty();

    outbox.open(ACK, 0);

    assertThat(stream.kinds())
        .containsExactly(FrameCase.ACK, FrameCase.LEASE, FrameCase.GOING_AWAY);
  }

  @Test
  void offer_beforeOpen_isClosed() {
    assertThat(outbox.offer(message("1"), 10)).isEqualTo(Outbox.Offer.CLOSED);
  }

  @Test
  void offer_noCredit_waitsForTheGrant() {
    outbox.open(ACK, 1);

    outbox.offer(message("1"), 10);
    outbox.offer(message("2"), 10);
    outbox.offer(message("3"), 10);
    assertThat(messages()).containsExactly("1");
    outbox.grant(2);

    assertThat(messages()).containsExactly("1", "2", "3");
  }

  /** F18: what a reader that never reads may cost is bounded by count and by bytes. */
  @Test
  void f18_offer_notReady_fillsUpToTheCountThenIsFull() {
    outbox.open(ACK, 0);
    stream.setReady(false);

    for (int i = 0; i < 3; i++) {
      assertThat(outbox.offer(message("m" + i), 10)).isEqualTo(Outbox.Offer.ACCEPTED);
    }

    assertThat(outbox.offer(message("m3"), 10)).isEqualTo(Outbox.Offer.FULL);
    assertThat(outbox.depth()).isEqualTo(3);
    assertThat(meters.gauge(Meter.MESSAGE_QUEUE_DEPTH)).isEqualTo(3);
    stream.setReady(true);
    outbox.drain();
    assertThat(messages()).containsExactly("m0", "m1", "m2");
    assertThat(meters.gauge(Meter.MESSAGE_QUEUE_DEPTH)).isZero();
  }

  @Test
  void f18_offer_notReady_fillsUpToTheBytes_butOneMessageAlwaysFits() {
    outbox.open(ACK, 0);
    stream.setReady(false);

    assertThat(outbox.offer(message("large"), 900)).isEqualTo(Outbox.Offer.ACCEPTED);
    assertThat(outbox.offer(message("next"), 1)).isEqualTo(Outbox.Offer.FULL);
  }

  /** F18, the sending side: no receipt is written, so no further frame is asked for. */
  @Test
  void f18_receipts_notReady_areNotWrittenAndAskForNothing() {
    outbox.open(ACK, 0);
    stream.setReady(false);

    outbox.receipt(Frames.accepted("1"));
    outbox.receipt(Frames.accepted("2"));
    assertThat(stream.requested()).isZero();
    stream.setReady(true);
    outbox.drain();

    assertThat(stream.requested()).isEqualTo(2);
    assertThat(stream.kinds()).containsExactly(FrameCase.ACK, FrameCase.RECEIPT, FrameCase.RECEIPT);
  }

  @Test
  void lease_notReady_onlyTheNewestWaits() {
    outbox.open(ACK, 0);
    stream.setReady(false);

    outbox.lease(lease(LeaseState.LEASE_STATE_SUSPECT));
    outbox.lease(lease(LeaseState.LEASE_STATE_HELD));
    stream.setReady(true);
    outbox.drain();

    assertThat(stream.sent()).containsExactly(ACK, lease(LeaseState.LEASE_STATE_HELD));
  }

  @Test
  void end_notReady_sendsControlAndReceiptsButDropsMessages() {
    outbox.open(ACK, 0);
    stream.setReady(false);
    outbox.offer(message("1"), 10);
    outbox.offer(message("2"), 10);
    outbox.receipt(Frames.accepted("r"));
    outbox.lease(lease(LeaseState.LEASE_STATE_LOST));

    outbox.end(Optional.of(new GatewayException(GatewayError.LOCK_LOST, "lost")));

    assertThat(stream.kinds()).containsExactly(FrameCase.ACK, FrameCase.LEASE, FrameCase.RECEIPT);
    assertThat(stream.reason()).isEqualTo(GatewayError.LOCK_LOST);
    assertThat(meters.total(Meter.MESSAGES_DROPPED, "")).isEqualTo(2);
    assertThat(meters.gauge(Meter.MESSAGE_QUEUE_DEPTH)).isZero();
    assertThat(outbox.offer(message("3"), 10)).isEqualTo(Outbox.Offer.CLOSED);
  }

  @Test
  void end_neverOpened_sendsNothingBeforeTheEnd() {
    outbox.goingAway(Frames.goingAway("stop", Duration.ZERO, Instant.EPOCH));

    outbox.end(Optional.empty());
    outbox.end(Optional.empty());

    assertThat(stream.sent()).isEmpty();
    assertThat(stream.ends()).isEqualTo(1);
  }

  @Test
  void afterTheEnd_nothingIsSent() {
    outbox.open(ACK, 0);
    outbox.end(Optional.empty());

    outbox.receipt(Frames.accepted("1"));
    outbox.lease(lease(LeaseState.LEASE_STATE_HELD));
    outbox.drain();

    assertThat(stream.kinds()).containsExactly(FrameCase.ACK);
  }

  @Test
  void offer_manyThreads_losesNothingAndKeepsEachOnesOrder() throws Exception {
    Outbox wide =
        new Outbox(
            stream,
            new MessageLimits(1000, 100_000, 10_000_000, Duration.ofSeconds(5)),
            new OutboxMeters(meters),
            () -> {});
    wide.open(ACK, 0);
    ExecutorService threads = Executors.newFixedThreadPool(4);
    List<Future<?>> senders = new ArrayList<>();
    for (int t = 0; t < 4; t++) {
      String name = "t" + t + "-";
      senders.add(
          threads.submit(
              () -> {
                for (int i = 0; i < 1000; i++) {
                  wide.offer(message(name + i), 10);
                }
              }));
    }
    for (Future<?> sender : senders) {
      sender.get();
    }
    threads.shutdown();

    assertThat(messages()).hasSize(4000);
    for (int t = 0; t < 4; t++) {
      String name = "t" + t + "-";
      List<String> own = messages().stream().filter(id -> id.startsWith(name)).toList();
      for (int i = 0; i < 1000; i++) {
        assertThat(own.get(i)).isEqualTo(name + i);
      }
    }
  }

  private List<String> messages() {
    return stream.sent().stream()
        .filter(ConnectResponse::hasMessage)
        .map(frame -> frame.getMessage().getCorrelationId())
        .toList();
  }

  private static ConnectResponse message(String id) {
    return ConnectResponse.newBuilder()
        .setMessage(Message.newBuilder().setCorrelationId(id))
        .build();
  }

  private static ConnectResponse lease(LeaseState state) {
    return Frames.lease(state, Duration.ofSeconds(1), "");
  }
}
