package dev.holdfast.client;

import static dev.holdfast.client.ConnectionState.CLOSED;
import static dev.holdfast.client.ConnectionState.HELD;
import static dev.holdfast.client.ConnectionState.LOST;
import static dev.holdfast.client.ConnectionState.SUSPECT;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.rpc.Code;
import dev.holdfast.protocol.gateway.v1.LeaseState;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Closing, in every state. */
class CloseTest {
  private final Rig rig = new Rig();

  @AfterEach
  void tearDown() {
    rig.close();
  }

  @Test
  void close_whileHeld_waitsForTheGatewayToEndTheStream() {
    Connection connection = rig.held();

    CompletableFuture<CloseReason> closed = connection.closeAsync().toCompletableFuture();
    rig.clock.settle();
    assertThat(connection.state()).isEqualTo(CLOSED);
    assertThat(rig.gateway.newest().halfClosed).isTrue();
    assertThat(closed).isNotDone();
    rig.gateway.newest().responses.onCompleted();
    rig.clock.settle();

    assertThat(closed.join().reason()).isEqualTo("CLOSED_BY_CLIENT");
    assertThat(closed.join().cause()).isEmpty();
    assertThat(rig.listener.states()).containsExactly(HELD, CLOSED);
    assertThat(rig.listener.lastChange().cause()).isEmpty();
    assertThat(rig.clock.pending()).isEmpty();
  }

  @Test
  void close_gatewayDoesNotAnswer_cancelsAfterAWhile() {
    Connection connection = rig.held();
    CompletableFuture<CloseReason> closed = connection.closeAsync().toCompletableFuture();

    rig.advance(Hold.GOODBYE_LIMIT.minusNanos(1));
    assertThat(closed).isNotDone();
    rig.advance(Duration.ofNanos(1));

    assertThat(closed).isDone();
    assertThat(rig.gateway.newest().cancelled).isTrue();
  }

  @Test
  void close_twice_isTheSameEnd() {
    Connection connection = rig.held();
    connection.closeAsync();
    connection.closeAsync();
    rig.gateway.newest().responses.onCompleted();
    connection.close();
    connection.close();
    rig.clock.settle();

    assertThat(rig.listener.states()).containsExactly(HELD, CLOSED);
  }

  @Test
  void close_whileALeaseIsSuspect() {
    Connection connection = rig.held();
    rig.gateway.newest().lease(LeaseState.LEASE_STATE_SUSPECT, Duration.ofSeconds(9));
    connection.closeAsync();
    rig.gateway.newest().responses.onCompleted();
    rig.advance(Duration.ofMinutes(1));

    assertThat(rig.listener.states()).containsExactly(HELD, SUSPECT, CLOSED);
    assertThat(rig.clock.pending()).isEmpty();
  }

  @Test
  void close_whileItWaitsToReconnect_endsAtOnce() {
    Connection connection = rig.held();
    rig.gateway.newest().breakDown();
    connection.close();
    rig.advance(Duration.ofHours(1));

    assertThat(rig.listener.states()).containsExactly(HELD, SUSPECT, CLOSED);
    assertThat(rig.gateway.streams).hasSize(1);
  }

  @Test
  void close_whileItReconnects_cancelsTheAttempt() {
    Connection connection = rig.held();
    rig.gateway.newest().end(Code.ABORTED, "LOCK_LOST");
    rig.advance(Duration.ofMillis(500));
    connection.close();
    rig.advance(Duration.ofHours(1));

    assertThat(rig.listener.states()).containsExactly(HELD, LOST, CLOSED);
    assertThat(rig.gateway.newest().cancelled).isTrue();
    assertThat(rig.gateway.streams).hasSize(2);
  }

  @Test
  void close_afterTheGatewayClosed_keepsItsReason() {
    Connection connection = rig.held();
    rig.gateway.newest().end(Code.ABORTED, "FORCE_DISCONNECT");
    connection.close();

    assertThat(connection.closeReason().orElseThrow().reason()).isEqualTo("FORCE_DISCONNECT");
  }

  @Test
  void closeClient_whileConnecting_failsTheConnect() {
    CompletableFuture<Connection> connecting = rig.connect(rig.options().build());
    rig.client.close();
    rig.clock.settle();

    Throwable thrown = connecting.handle((c, t) -> t).join();
    assertThat(thrown).hasMessageContaining("CLOSED_BY_CLIENT");
    assertThat(rig.gateway.newest().cancelled).isTrue();
  }

  @Test
  void closeClient_beforeTheStreamIsOpened_opensNone() {
    CompletableFuture<Connection> connecting =
        rig.client.connect(Rig.AGENT, rig.options().build()).toCompletableFuture();
    rig.client.close();
    rig.clock.settle();

    assertThat(connecting).isCompletedExceptionally();
    assertThat(rig.gateway.streams).isEmpty();
  }
}
