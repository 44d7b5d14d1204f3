package dev.holdfast.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.google.rpc.Code;
import dev.holdfast.protocol.gateway.v1.InitConnection;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** From the call of connect to the acknowledgement or the refusal. */
class ConnectTest {
  private final Rig rig = new Rig();

  @AfterEach
  void tearDown() {
    rig.close();
  }

  @Test
  void connect_acknowledged_isHeld() {
    Connection connection = rig.held();

    assertThat(connection.state()).isEqualTo(ConnectionState.HELD);
    assertThat(connection.principal()).isEqualTo(Rig.AGENT);
    assertThat(connection.identity()).isEqualTo("agent/acme/builder/7");
    assertThat(connection.sessionId()).isEqualTo("s1");
    assertThat(connection.fencingToken()).isEqualTo(10);
    assertThat(connection.resumed()).isFalse();
    assertThat(connection.assignedId()).isEmpty();
    assertThat(connection.gatewayId()).isEqualTo("gateway-1");
    assertThat(connection.maxPayloadBytes()).isEqualTo(1_000_000);
    assertThat(connection.closeReason()).isEmpty();
    assertThat(rig.listener.states()).containsExactly(ConnectionState.HELD);
    assertThat(rig.listener.lastChange().fencingToken()).isEqualTo(10);
  }

  @Test
  void connect_applicationRunsAtOnce_findsTheToken() {
    rig.applicationRunsAtOnce = true;
    CompletableFuture<Long> token =
        rig.connect(rig.options().build()).thenApply(Connection::fencingToken);
    rig.gateway.newest().ack("s1", 10, false);
    rig.clock.settle();

    assertThat(token).isCompletedWithValue(10L);
  }

  @Test
  void connect_sendsKeyAndInit() {
    assertThat(rig.connect(rig.options().inboxCapacity(5).build())).isNotDone();

    InitConnection init = rig.gateway.newest().init();
    assertThat(rig.gateway.apiKeys).containsExactly("key-1");
    assertThat(init.getPrincipal().getAgent().getSpecifier()).isEqualTo("7");
    assertThat(init.getMessageCredit()).isEqualTo(5);
    assertThat(init.getResumeSessionId()).isEmpty();
    assertThat(init.getClientAgent()).startsWith("holdfast-java/");
  }

  @Test
  void connect_identityHeld_failsWithSinceAndWhenToRetry() {
    CompletableFuture<Connection> connecting = rig.connect(rig.options().build());
    rig.gateway.newest().refuseDuplicate(Duration.ofSeconds(12));
    rig.clock.settle();

    DuplicateIdentityException refusal = refusal(connecting, DuplicateIdentityException.class);
    assertThat(refusal.reason()).isEqualTo("DUPLICATE_IDENTITY");
    assertThat(refusal.heldSince()).contains(Instant.parse("2026-11-30T10:00:00Z"));
    assertThat(refusal.identity()).contains("agent/acme/builder/7");
    assertThat(refusal.retryAfter()).contains(Duration.ofSeconds(12));
    assertThat(rig.clock.pending()).isEmpty();
    assertThat(rig.listener.changes).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "UNAUTHENTICATED, INVALID_API_KEY, UnauthenticatedException",
    "UNAUTHENTICATED, MISSING_API_KEY, UnauthenticatedException",
    "PERMISSION_DENIED, IDENTITY_NOT_ALLOWED, IdentityNotAllowedException",
    "UNAVAILABLE, SHUTTING_DOWN, GatewayUnavailableException",
    "ABORTED, LOCK_LOST, LockLostException",
    "ABORTED, FORCE_DISCONNECT, ForceDisconnectedException",
    "ABORTED, SUPERSEDED, SupersededException",
    "INVALID_ARGUMENT, INVALID_IDENTITY, HoldfastException",
    "PERMISSION_DENIED, INVENTED_LATER, HoldfastException",
  })
  void connect_refused_failsWithTheReasonsType(Code code, String reason, String type) {
    CompletableFuture<Connection> connecting = rig.connect(rig.options().build());
    rig.gateway.newest().end(code, reason, Map.of("n", "1"), Duration.ZERO);
    rig.clock.settle();

    HoldfastException refusal = refusal(connecting, HoldfastException.class);
    assertThat(refusal.getClass().getSimpleName()).isEqualTo(type);
    assertThat(refusal.reason()).isEqualTo(reason);
    assertThat(refusal.metadata()).containsEntry("n", "1");
    assertThat(refusal.retryAfter()).isEmpty();
    assertThat(refusal).hasMessage(reason + ": because");
  }

  @Test
  void connect_transportRefuses_failsAsUnavailable() {
    CompletableFuture<Connection> connecting = rig.connect(rig.options().build());
    rig.gateway.newest().breakDown();
    rig.clock.settle();

    assertThat(refusal(connecting, GatewayUnavailableException.class).reason())
        .isEqualTo("UNAVAILABLE");
  }

  @Test
  void connect_noAnswer_failsAtTheTimeout() {
    CompletableFuture<Connection> connecting =
        rig.connect(rig.options().connectTimeout(Duration.ofSeconds(3)).build());
    rig.advance(Duration.ofSeconds(3).minusNanos(1));
    assertThat(connecting).isNotDone();

    rig.advance(Duration.ofNanos(1));

    assertThat(refusal(connecting, GatewayUnavailableException.class).reason())
        .isEqualTo("CONNECT_TIMEOUT");
    assertThat(rig.gateway.newest().cancelled).isTrue();
  }

  @Test
  void connect_otherFrameBeforeAck_isProtocolError() {
    CompletableFuture<Connection> connecting = rig.connect(rig.options().build());
    rig.gateway.newest().message("service/a/b", 1, "m", new byte[0]);
    rig.clock.settle();

    assertThat(refusal(connecting, HoldfastException.class).reason()).isEqualTo("PROTOCOL_ERROR");
  }

  @Test
  void retryOnDuplicate_waitsUntilTheHolderIsGone() {
    CompletableFuture<Connection> connecting =
        rig.connect(rig.options().retryOnDuplicate(Duration.ofMinutes(1)).build());
    rig.gateway.newest().refuseDuplicate(Duration.ofSeconds(10));
    rig.advance(Duration.ofSeconds(11)); // 10 s as told, and half of the first ceiling of 1 s
    rig.gateway.newest().breakDown(); // a hiccup while waiting doesn't end the wait
    rig.advance(Duration.ofSeconds(2));
    rig.gateway.newest().ack("s1", 10, false);
    rig.clock.settle();

    assertThat(connecting.join().state()).isEqualTo(ConnectionState.HELD);
    assertThat(rig.gateway.streams).hasSize(3);
    assertThat(rig.listener.retries)
        .containsExactly(Duration.ofMillis(10_500), Duration.ofSeconds(1));
  }

  @Test
  void retryOnDuplicate_holderStays_failsAfterOneLastTry() {
    CompletableFuture<Connection> connecting =
        rig.connect(rig.options().retryOnDuplicate(Duration.ofSeconds(25)).build());
    rig.gateway.newest().refuseDuplicate(Duration.ofSeconds(20));
    rig.advance(Duration.ofMillis(20_500));
    rig.gateway.newest().refuseDuplicate(Duration.ofSeconds(20));
    rig.advance(Duration.ofMillis(4_500));
    assertThat(rig.gateway.streams).hasSize(3);
    rig.gateway.newest().refuseDuplicate(Duration.ofSeconds(20));
    rig.clock.settle();

    assertThat(refusal(connecting, DuplicateIdentityException.class).reason())
        .isEqualTo("DUPLICATE_IDENTITY");
    assertThat(rig.clock.pending()).isEmpty();
  }

  @Test
  void connect_clientClosed_throws() {
    rig.client.close();

    assertThatThrownBy(() -> rig.client.connect(Rig.AGENT, ConnectOptions.DEFAULT))
        .isInstanceOf(IllegalStateException.class);
  }

  private static <T extends HoldfastException> T refusal(
      CompletableFuture<Connection> connecting, Class<T> type) {
    assertThat(connecting).isCompletedExceptionally();
    CompletionException thrown = catchThrowableOfType(CompletionException.class, connecting::join);
    assertThat(thrown).hasCauseInstanceOf(type);
    return type.cast(Objects.requireNonNull(thrown.getCause()));
  }
}
