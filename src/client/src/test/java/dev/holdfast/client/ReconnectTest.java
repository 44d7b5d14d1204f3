package dev.holdfast.client;

import static dev.holdfast.client.ConnectionState.CLOSED;
import static dev.holdfast.client.ConnectionState.HELD;
import static dev.holdfast.client.ConnectionState.LOST;
import static dev.holdfast.client.ConnectionState.SUSPECT;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.rpc.Code;
import dev.holdfast.protocol.gateway.v1.ConnectionAck;
import dev.holdfast.protocol.gateway.v1.LeaseState;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a connection makes of leases and of streams that end. */
class ReconnectTest {
  private final Rig rig = new Rig();

  @AfterEach
  void tearDown() {
    rig.close();
  }

  @Test
  void leaseSuspect_thenHeld() {
    Connection connection = rig.held();
    rig.gateway.newest().lease(LeaseState.LEASE_STATE_SUSPECT, Duration.ofSeconds(12));
    rig.clock.settle();
    assertThat(connection.state()).isEqualTo(SUSPECT);
    assertThat(rig.listener.lastChange().cause().orElseThrow()).hasMessageContaining("Redis");

    rig.gateway.newest().lease(LeaseState.LEASE_STATE_HELD, Duration.ofSeconds(30));
    rig.advance(Duration.ofMinutes(1));

    assertThat(rig.listener.states()).containsExactly(HELD, SUSPECT, HELD);
    assertThat(rig.clock.pending()).isEmpty();
  }

  @Test
  void leaseSuspect_noWordUntilItRunsOut_isLost() {
    Connection connection = rig.held();
    rig.gateway.newest().lease(LeaseState.LEASE_STATE_SUSPECT, Duration.ofSeconds(12));

    rig.advance(Duration.ofSeconds(12).minusNanos(1));
    assertThat(connection.state()).isEqualTo(SUSPECT);
    rig.advance(Duration.ofNanos(1));

    assertThat(connection.state()).isEqualTo(LOST);
    assertThat(rig.listener.lastChange().cause().orElseThrow().reason()).isEqualTo("LEASE_EXPIRED");
  }

  @Test
  void lockLost_isToldFirst_thenAcquiredAnewWithAnotherToken() {
    Connection connection = rig.held();
    rig.gateway.newest().lease(LeaseState.LEASE_STATE_LOST, Duration.ZERO);
    rig.clock.settle();
    assertThat(connection.state()).isEqualTo(LOST);
    assertThat(rig.listener.lastChange().cause()).get().isInstanceOf(LockLostException.class);

    rig.gateway.newest().end(Code.ABORTED, "LOCK_LOST");
    rig.advance(Duration.ofSeconds(1));
    rig.gateway.newest().ack("s2", 20, false);
    rig.clock.settle();

    assertThat(rig.listener.states()).containsExactly(HELD, LOST, HELD);
    assertThat(connection.fencingToken()).isEqualTo(20);
    assertThat(rig.listener.lastChange().fencingToken()).isEqualTo(20);
  }

  @Test
  void lockLost_withoutALeaseFrame_isLost() {
    rig.held();
    rig.gateway.newest().end(Code.ABORTED, "LOCK_LOST");
    rig.clock.settle();

    assertThat(rig.listener.states()).containsExactly(HELD, LOST);
  }

  @Test
  void streamBreaks_isSuspectUntilResumed() {
    Connection connection = rig.held();
    rig.gateway.newest().breakDown();
    rig.clock.settle();
    assertThat(connection.state()).isEqualTo(SUSPECT);

    rig.advance(Duration.ofMillis(500)); // half of the first ceiling
    assertThat(rig.gateway.newest().init().getResumeSessionId()).isEqualTo("s1");
    rig.gateway.newest().ack("s2", 11, true);
    rig.clock.settle();

    assertThat(rig.listener.states()).containsExactly(HELD, SUSPECT, HELD);
    assertThat(connection.resumed()).isTrue();
    assertThat(connection.sessionId()).isEqualTo("s2");
    assertThat(connection.fencingToken()).isEqualTo(11);
    assertThat(rig.clock.pending()).isEmpty();
  }

  @Test
  void streamBreaks_acquiredAnew_isLostInBetween() {
    rig.held();
    rig.gateway.newest().breakDown();
    rig.advance(Duration.ofMillis(500));
    rig.gateway.newest().ack("s2", 20, false);
    rig.clock.settle();

    assertThat(rig.listener.states()).containsExactly(HELD, SUSPECT, LOST, HELD);
  }

  @Test
  void streamBreaks_idleBefore_isLostOneTtlAfterTheTransportLastProvedItself() {
    Connection connection = rig.held();
    rig.advance(Duration.ofHours(1));
    rig.gateway.newest().breakDown();
    Duration left = ScriptedGateway.LOCK_TTL.minus(Rig.SILENCE_LIMIT);

    rig.advance(left.minusNanos(1));
    assertThat(connection.state()).isEqualTo(SUSPECT);
    rig.advance(Duration.ofNanos(1));

    assertThat(connection.state()).isEqualTo(LOST);
  }

  @Test
  void streamBreaks_justAfterAFrame_isLostOneTtlAfterThatFrame() {
    Connection connection = rig.held();
    rig.advance(Duration.ofHours(1));
    rig.gateway.newest().message("service/a/b", 1, "m", new byte[0]);
    rig.advance(Duration.ofSeconds(5));
    rig.gateway.newest().breakDown();

    rig.advance(ScriptedGateway.LOCK_TTL.minusSeconds(5).minusNanos(1));
    assertThat(connection.state()).isEqualTo(SUSPECT);
    rig.advance(Duration.ofNanos(1));

    assertThat(connection.state()).isEqualTo(LOST);
  }

  @Test
  void streamBreaks_whileTheLeaseRunsOut_theEarlierDeadlineCounts() {
    Connection connection = rig.held();
    rig.gateway.newest().lease(LeaseState.LEASE_STATE_SUSPECT, Duration.ofSeconds(4));
    rig.advance(Duration.ofSeconds(1));
    rig.gateway.newest().breakDown();

    rig.advance(Duration.ofSeconds(3));

    assertThat(connection.state()).isEqualTo(LOST);
  }

  @Test
  void lost_keepsTryingAndIsHeldAgain() {
    Connection connection = rig.held();
    rig.gateway.newest().breakDown();
    for (int i = 0; i < 6; i++) {
      rig.advance(Duration.ofSeconds(16));
      rig.gateway.newest().breakDown();
    }
    rig.clock.settle();
    assertThat(connection.state()).isEqualTo(LOST);

    rig.advance(Duration.ofSeconds(16));
    rig.gateway.newest().ack("s9", 90, false);
    rig.clock.settle();

    assertThat(rig.listener.states()).containsExactly(HELD, SUSPECT, LOST, HELD);
  }

  @Test
  void goingAway_reconnectsAfterTheEndAndNotBeforeTold() {
    rig.held();
    rig.gateway.newest().goingAway(Duration.ofSeconds(7));
    rig.advance(Duration.ofSeconds(3));
    assertThat(rig.gateway.streams).hasSize(1);
    assertThat(rig.listener.goingAways).containsExactly("restart");

    rig.gateway.newest().end(Code.UNAVAILABLE, "SHUTTING_DOWN");
    rig.clock.settle();

    assertThat(rig.listener.states()).containsExactly(HELD, LOST);
    assertThat(rig.listener.retries).containsExactly(Duration.ofMillis(7_500));
    rig.advance(Duration.ofMillis(7_500));
    assertThat(rig.gateway.streams).hasSize(2);
  }

  @Test
  void gatewayCompletesTheStream_isLostAndTriesAgain() {
    rig.held();
    rig.gateway.newest().responses.onCompleted();
    rig.advance(Duration.ofMillis(500));

    assertThat(rig.listener.lastChange().cause().orElseThrow().reason()).isEqualTo("STREAM_ENDED");
    assertThat(rig.listener.states()).containsExactly(HELD, LOST);
    assertThat(rig.gateway.streams).hasSize(2);
  }

  @ParameterizedTest
  @CsvSource({
    "ABORTED, FORCE_DISCONNECT",
    "ABORTED, SUPERSEDED",
    "UNAUTHENTICATED, INVALID_API_KEY",
    "PERMISSION_DENIED, IDENTITY_NOT_ALLOWED",
    "INVALID_ARGUMENT, MALFORMED_FRAME",
  })
  void finalReason_closesForGood(Code code, String reason) {
    Connection connection = rig.held();
    CompletableFuture<CloseReason> closed = connection.closed().toCompletableFuture();
    rig.gateway.newest().end(code, reason);
    rig.advance(Duration.ofHours(1));

    assertThat(connection.closeReason().orElseThrow().reason()).isEqualTo(reason);
    assertThat(closed).isCompletedWithValue(connection.closeReason().orElseThrow());
    assertThat(rig.listener.states()).containsExactly(HELD, CLOSED);
    assertThat(rig.listener.lastChange().cause()).isPresent();
    assertThat(rig.gateway.streams).hasSize(1);
    assertThat(rig.clock.pending()).isEmpty();
  }

  @Test
  void finalReason_onAReconnect_closes() {
    Connection connection = rig.held();
    rig.gateway.newest().breakDown();
    rig.advance(Duration.ofMillis(500));
    rig.gateway.newest().end(Code.UNAUTHENTICATED, "INVALID_API_KEY");
    rig.clock.settle();

    assertThat(connection.state()).isEqualTo(CLOSED);
    assertThat(rig.listener.states()).containsExactly(HELD, SUSPECT, CLOSED);
  }

  @Test
  void reconnectOff_closesAtTheFirstEnd() {
    Connection connection = rig.held(rig.options().reconnect(false).build());
    rig.gateway.newest().breakDown();
    rig.advance(Duration.ofMinutes(5));

    assertThat(connection.closeReason().orElseThrow().reason()).isEqualTo("UNAVAILABLE");
    assertThat(rig.gateway.streams).hasSize(1);
  }

  @Test
  void refusedOnAReconnect_isLost_andTriesForOneLockTtl() {
    Connection connection = rig.held();
    rig.gateway.newest().breakDown();
    rig.advance(Duration.ofMillis(500));
    rig.gateway.newest().refuseDuplicate(Duration.ofSeconds(29));
    rig.clock.settle();
    assertThat(connection.state()).isEqualTo(LOST);

    rig.advance(Duration.ofSeconds(30)); // 29 s as told and half of 2 s
    rig.gateway.newest().refuseDuplicate(Duration.ofSeconds(29));
    rig.clock.settle();

    assertThat(connection.state()).isEqualTo(CLOSED);
    assertThat(connection.closeReason().orElseThrow().cause())
        .get()
        .isInstanceOf(DuplicateIdentityException.class);
  }

  @Test
  void olderStream_isNotHeardAnyMore() {
    Connection connection = rig.held();
    ScriptedGateway.Stream slow = rig.gateway.newest();
    slow.breakDown();
    rig.advance(Duration.ofMillis(500));
    ScriptedGateway.Stream unanswered = rig.gateway.newest();
    rig.advance(ConnectOptions.DEFAULT_CONNECT_TIMEOUT.plusSeconds(1));
    rig.gateway.newest().ack("s3", 30, false);
    rig.clock.settle();

    assertThat(unanswered.cancelled).isTrue();
    assertThat(connection.sessionId()).isEqualTo("s3");
    assertThat(rig.gateway.streams).hasSize(3);
  }

  @Test
  void secondAck_isProtocolError() {
    rig.held();
    rig.gateway.newest().ack("s2", 11, false);
    rig.clock.settle();

    assertThat(rig.gateway.newest().cancelled).isTrue();
    assertThat(rig.listener.states()).containsExactly(HELD, SUSPECT);
  }

  @Test
  void task_resumesWithItsAssignedId() {
    CompletableFuture<Connection> connecting =
        rig.connect(new Principal.Task("acme", "builder"), rig.options().build());
    assertThat(rig.gateway.newest().init().getPrincipal().getTask().getAssignedId()).isEmpty();
    rig.gateway
        .newest()
        .ack(ConnectionAck.newBuilder().setSessionId("s1").setAssignedId("t-42").build());
    rig.clock.settle();
    assertThat(connecting.join().assignedId()).contains("t-42");

    rig.gateway.newest().breakDown();
    rig.advance(Duration.ofMillis(500));

    assertThat(rig.gateway.newest().init().getPrincipal().getTask().getAssignedId())
        .isEqualTo("t-42");
    assertThat(rig.gateway.newest().init().getResumeSessionId()).isEqualTo("s1");
  }

  @Test
  void retryInfo_isAFloor() {
    rig.draw = 0;
    rig.held();
    rig.gateway
        .newest()
        .end(Code.UNAVAILABLE, "LOCK_STORE_UNAVAILABLE", Map.of(), Duration.ofSeconds(42));
    rig.advance(Duration.ofSeconds(42).minusNanos(1));
    assertThat(rig.gateway.streams).hasSize(1);

    rig.advance(Duration.ofNanos(1));

    assertThat(rig.gateway.streams).hasSize(2);
  }

  /** F14: two holders that keep taking the identity from each other slow down. */
  @Test
  void f14_backoffGrowsOverShortHolds_andStartsAnewAfterAStableOne() {
    rig.draw = 1;
    rig.held();
    for (int i = 0; i < 6; i++) {
      rig.advance(Duration.ofSeconds(29));
      rig.gateway.newest().end(Code.ABORTED, "LOCK_LOST");
      rig.advance(Duration.ofSeconds(16));
      rig.gateway.newest().ack("s", 10 + i, false);
      rig.clock.settle();
    }
    assertThat(rig.listener.retries)
        .extracting(Duration::toSeconds)
        .containsExactly(1L, 2L, 4L, 8L, 16L, 16L);

    rig.advance(Duration.ofSeconds(30));
    rig.gateway.newest().end(Code.ABORTED, "LOCK_LOST");
    rig.clock.settle();

    assertThat(rig.listener.retries.get(6)).isEqualTo(Duration.ofSeconds(1));
  }
}
