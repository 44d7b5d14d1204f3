package dev.holdfast.gateway.connection;

import static dev.holdfast.gateway.connection.Gateway.agent;
import static dev.holdfast.gateway.connection.Gateway.identity;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.gateway.connection.Gateway.Client;
import dev.holdfast.gateway.error.GatewayError;
import dev.holdfast.gateway.lock.LockRecord;
import dev.holdfast.gateway.lock.LossCause;
import dev.holdfast.gateway.telemetry.Meter;
import dev.holdfast.gateway.testing.FakeBus;
import dev.holdfast.protocol.gateway.v1.ConnectRequest;
import dev.holdfast.protocol.gateway.v1.ConnectResponse;
import dev.holdfast.protocol.gateway.v1.ConnectionAck;
import dev.holdfast.protocol.gateway.v1.InitConnection;
import dev.holdfast.protocol.gateway.v1.LeaseState;
import dev.holdfast.protocol.gateway.v1.Principal;
import dev.holdfast.protocol.gateway.v1.Task;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class ConnectionTest {
  private final Gateway gateway = new Gateway();

  @Test
  void connect_free_acksFirstWithEverything() {
    Client client = gateway.connect("a");

    assertThat(client.stream().kinds()).containsExactly(ConnectResponse.FrameCase.ACK);
    ConnectionAck ack = client.last().getAck();
    assertThat(ack.getSessionId()).isEqualTo(client.session().value());
    assertThat(ack.getIdentity()).isEqualTo("agent/acme/builder/a");
    assertThat(ack.getFencingToken()).isEqualTo(1);
    assertThat(ack.getGatewayId()).isEqualTo(Gateway.ID);
    assertThat(ack.getServerVersion()).isEqualTo("1.0.0-test");
    assertThat(ack.getLockTtl().getSeconds()).isEqualTo(30);
    assertThat(ack.getMaxPayloadBytes()).isEqualTo(256 * 1024);
    assertThat(ack.getResumed()).isFalse();
    assertThat(client.connection().state()).isEqualTo(ConnectionState.HELD);
    assertThat(client.stream().requested()).isEqualTo(1 + Connection.INBOUND_WINDOW);
    assertThat(gateway.meters.total(Meter.CONNECTION_OPENS, "held")).isEqualTo(1);
    assertThat(gateway.meters.gauge(Meter.CONNECTIONS_ACTIVE)).isEqualTo(1);
  }

  @Test
  void connect_held_refusesWithHolderAndRetry() {
    Client holder = gateway.connect("a");

    Client second = gateway.connect("a");

    assertThat(second.stream().reason()).isEqualTo(GatewayError.DUPLICATE_IDENTITY);
    assertThat(second.stream().error().metadata())
        .containsEntry("identity", "agent/acme/builder/a")
        .containsEntry("held_since", "2026-01-01T00:00:00Z");
    assertThat(second.stream().error().retryAfter()).contains(Duration.ofSeconds(17));
    assertThat(second.stream().sent()).isEmpty();
    assertThat(second.connection().state()).isEqualTo(ConnectionState.CLOSED);
    assertThat(holder.connection().state()).isEqualTo(ConnectionState.HELD);
    assertThat(gateway.locks.releases()).isEmpty();
    assertThat(gateway.meters.total(Meter.CONNECTION_REFUSALS, "DUPLICATE_IDENTITY")).isEqualTo(1);
    assertThat(gateway.registry.views()).hasSize(1);
  }

  @Test
  void connect_keyMayNotHold_isRefusedBeforeTheLock() {
    Client client = gateway.open("key-2", "agent/other/**");

    client.init(agent("a"));

    assertThat(client.stream().reason()).isEqualTo(GatewayError.IDENTITY_NOT_ALLOWED);
    assertThat(gateway.locks.holder(identity("a"))).isNull();
  }

  @Test
  void connect_nonUniqueTask_assignsAnIdThatCanBeResumed() {
    Client first = gateway.open();
    first.init(task(""));
    Client second = gateway.open();
    second.init(task(""));
    String assigned = first.last().getAck().getAssignedId();

    Client resumed = gateway.open();
    resumed.init(task(assigned).setResumeSessionId(first.session().value()));

    assertThat(assigned)
        .matches("[0-9a-f]{32}")
        .isNotEqualTo(second.last().getAck().getAssignedId());
    assertThat(resumed.last().getAck().getResumed()).isTrue();
    assertThat(resumed.last().getAck().getAssignedId()).isEqualTo(assigned);
    assertThat(first.stream().reason()).isEqualTo(GatewayError.SUPERSEDED);
  }

  @Test
  void firstFrame_other_isRefused() {
    Client client = gateway.open();

    client.message("1", "agent/acme/builder/b");

    assertThat(client.stream().reason()).isEqualTo(GatewayError.FIRST_FRAME_NOT_INIT);
  }

  @Test
  void firstFrame_late_timesOutAtTheLimit() {
    Client client = gateway.open();

    gateway.clock.advance(Duration.ofSeconds(5).minusNanos(1));
    assertThat(client.stream().ended()).isFalse();
    gateway.clock.advance(Duration.ofNanos(1));

    assertThat(client.stream().reason()).isEqualTo(GatewayError.INIT_TIMEOUT);
    assertThat(client.connection().state()).isEqualTo(ConnectionState.CLOSED);
  }

  @Test
  void firstFrame_none_halfClosed_isRefused() {
    Client client = gateway.open();

    client.connection().halfClosed();

    assertThat(client.stream().reason()).isEqualTo(GatewayError.FIRST_FRAME_NOT_INIT);
  }

  @Test
  void laterFrame_violation_endsTheStreamAndReleases() {
    for (var violation :
        Map.of(
                new InboundFrame.Parsed(ConnectRequest.newBuilder().setInit(agent("x")).build()),
                GatewayError.DUPLICATE_INIT,
                new InboundFrame.Parsed(ConnectRequest.getDefaultInstance()),
                GatewayError.MALFORMED_FRAME,
                new InboundFrame.Malformed("bad"),
                GatewayError.MALFORMED_FRAME,
                new InboundFrame.TooLarge(100),
                GatewayError.FRAME_TOO_LARGE)
            .entrySet()) {
      Client client = gateway.connect("a");

      client.connection().receive(violation.getKey());

      assertThat(client.stream().reason()).isEqualTo(violation.getValue());
      assertThat(gateway.locks.holder(identity("a"))).isNull();
    }
  }

  @Test
  void cancel_held_releasesAndCleansUpInOrderOnce() {
    Client client = gateway.connect("a");

    client.connection().streamLost(CloseCause.CONNECTION_LOST, "gone");
    client.connection().streamLost(CloseCause.CONNECTION_LOST, "gone");

    assertThat(gateway.locks.releases()).hasSize(1);
    assertThat(gateway.locks.holder(identity("a"))).isNull();
    assertThat(gateway.steps)
        .containsExactly(
            "quota agent/acme/builder/a " + client.session(),
            "task agent/acme/builder/a CONNECTION_LOST");
    assertThat(client.connection().state()).isEqualTo(ConnectionState.CLOSED);
    assertThat(gateway.registry.view(client.session())).isEmpty();
    assertThat(gateway.leases).isEmpty();
    assertThat(gateway.meters.total(Meter.CONNECTION_CLOSES, "connection_lost")).isEqualTo(1);
    assertThat(gateway.meters.total(Meter.CLEANUP_DURATION, "")).isEqualTo(1);
    assertThat(gateway.clock.pendingTasks()).isZero();
  }

  @Test
  void cancel_acquireInFlight_releasesTheLockThatArrivesLate() {
    gateway.locks.holdBackAnswers(true);
    Client client = gateway.connect("a");
    client.connection().streamLost(CloseCause.CLIENT_CANCELLED, "gone");
    assertThat(gateway.locks.releases()).isEmpty();
    assertThat(gateway.registry.view(client.session())).isPresent();

    gateway.locks.holdBackAnswers(false);
    gateway.locks.answerNext();

    assertThat(gateway.locks.holder(identity("a"))).isNull();
    assertThat(client.stream().sent()).isEmpty();
    assertThat(client.connection().state()).isEqualTo(ConnectionState.CLOSED);
    assertThat(gateway.registry.view(client.session())).isEmpty();
    assertThat(gateway.meters.total(Meter.CONNECTION_OPENS, "failed")).isEqualTo(1);
  }

  @Test
  void close_acquireInFlight_answersWhenTheLateLockIsReleased() {
    gateway.locks.holdBackAnswers(true);
    Client client = gateway.connect("a");

    var released =
        gateway.registry.close(client.session(), CloseCause.FORCE_DISCONNECT, "kick").orElseThrow();

    assertThat(client.stream().reason()).isEqualTo(GatewayError.FORCE_DISCONNECT);
    assertThat(released.toCompletableFuture()).isNotDone();
    gateway.locks.holdBackAnswers(false);
    gateway.locks.answerNext();
    assertThat(released.toCompletableFuture()).isCompletedWithValue(true);
    assertThat(gateway.locks.holder(identity("a"))).isNull();
  }

  @Test
  void acquire_answeredAfterTheLease_isReleasedAndNeverAcked() {
    gateway.locks.holdBackAnswers(true);
    Client client = gateway.connect("a");
    gateway.clock.advance(Duration.ofSeconds(28));

    gateway.locks.holdBackAnswers(false);
    gateway.locks.answerNext();

    assertThat(client.stream().sent()).isEmpty();
    assertThat(client.stream().reason()).isEqualTo(GatewayError.LOCK_STORE_UNAVAILABLE);
    assertThat(client.stream().error().retryAfter()).isPresent();
    assertThat(gateway.locks.holder(identity("a"))).isNull();
  }

  @Test
  void acquire_replyLost_isReleasedInTheBackground() {
    gateway.locks.loseAnswers(true);
    Client client = gateway.connect("a");
    gateway.locks.loseAnswers(false);

    assertThat(client.stream().reason()).isEqualTo(GatewayError.LOCK_STORE_UNAVAILABLE);
    assertThat(gateway.locks.holder(identity("a"))).isNull();
    assertThat(gateway.meters.total(Meter.CONNECTION_OPENS, "failed")).isEqualTo(1);
  }

  @Test
  void acquire_reachesRedisAfterTheFirstRelease_isReleasedLater() {
    gateway.locks.down(true);
    Client client = gateway.connect("a");
    gateway.locks.down(false);
    gateway.locks.put(
        identity("a"),
        new LockRecord(client.session(), 1, Gateway.ID, Gateway.EPOCH, "key-1", Instant.EPOCH));

    gateway.clock.advance(Duration.ofSeconds(1));

    assertThat(gateway.locks.holder(identity("a"))).isNull();
    gateway.clock.advance(Duration.ofMinutes(2));
    assertThat(gateway.clock.pendingTasks()).isZero();
  }

  @Test
  void lostCancelledAndKickedAtOnce_cleansUpOnceForTheFirstCause() {
    Client client = gateway.connect("a");
    var lease = gateway.lease();
    gateway.locks.holdBackAnswers(true);

    lease.leaseLost(LossCause.LEASE_EXPIRED);
    client.connection().streamLost(CloseCause.CLIENT_CANCELLED, "gone");
    var released =
        gateway.registry.close(client.session(), CloseCause.FORCE_DISCONNECT, "kick").orElseThrow();
    gateway.locks.answerNext();

    assertThat(released.toCompletableFuture()).isCompletedWithValue(true);
    assertThat(client.stream().reason()).isEqualTo(GatewayError.LOCK_LOST);
    assertThat(client.stream().ends()).isEqualTo(1);
    assertThat(gateway.locks.releases()).hasSize(1);
    assertThat(gateway.steps).hasSize(2).last().asString().endsWith("LEASE_EXPIRED");
    assertThat(gateway.meters.total(Meter.LOCKS_LOST, "lease_expired")).isEqualTo(1);
    assertThat(gateway.meters.total(Meter.CONNECTION_CLOSES, "lease_expired")).isEqualTo(1);
    assertThat(gateway.meters.total(Meter.CONNECTION_CLOSES, "force_disconnect")).isZero();
  }

  @Test
  void lease_suspectThenHeldThenLost_isToldInOrder() {
    Client client = gateway.connect("a");
    var lease = gateway.lease();

    lease.leaseSuspect(Duration.ofSeconds(9), "Redis does not answer.");
    assertThat(client.connection().state()).isEqualTo(ConnectionState.SUSPECT);
    lease.leaseHeld(Duration.ofSeconds(28));
    assertThat(client.connection().state()).isEqualTo(ConnectionState.HELD);
    lease.leaseLost(LossCause.NOT_OWNER);

    assertThat(
            client.stream().sent().stream()
                .filter(ConnectResponse::hasLease)
                .map(frame -> frame.getLease().getState()))
        .containsExactly(
            LeaseState.LEASE_STATE_SUSPECT,
            LeaseState.LEASE_STATE_HELD,
            LeaseState.LEASE_STATE_LOST);
    assertThat(client.stream().reason()).isEqualTo(GatewayError.LOCK_LOST);
  }

  /**
   * F39, as far as the core goes: the end does not wait for the client, and a stuck one is reset.
   */
  @Test
  void f39_lostWhileTheClientDoesNotRead_releasesAtOnceAndResetsAfterTheGrace() {
    Client client = gateway.connect("a");
    client.stream().setReady(false);

    gateway.lease().leaseLost(LossCause.NOT_OWNER);

    assertThat(gateway.locks.releases()).hasSize(1);
    assertThat(client.stream().ended()).isTrue();
    assertThat(client.stream().resets()).isZero();
    gateway.clock.advance(ConnectionEnd.RESET_GRACE);
    assertThat(client.stream().resets()).isEqualTo(1);
  }

  @Test
  void end_readByTheClient_isNotReset() {
    Client client = gateway.connect("a");
    gateway.lease().leaseLost(LossCause.NOT_OWNER);

    client.connection().streamCompleted();
    gateway.clock.advance(Duration.ofMinutes(1));

    assertThat(client.stream().resets()).isZero();
  }

  @Test
  void halfClose_endsTheStreamInGoodOrderAfterTheRelease() {
    Client client = gateway.connect("a");
    gateway.locks.holdBackAnswers(true);

    client.connection().halfClosed();

    assertThat(client.stream().ended()).isFalse();
    gateway.locks.answerNext();
    assertThat(client.stream().ended()).isTrue();
    assertThat(gateway.locks.holder(identity("a"))).isNull();
  }

  /** F37: a resume while the old, half-open stream still lives on this gateway. */
  @Test
  void f37_resumeOnTheSameGateway_lateCleanupOfTheOldLeavesTheNewAlone() {
    Client old = gateway.connect("a");
    gateway.locks.holdBackAnswers(true);
    Client fresh = gateway.open();
    fresh.init(agent("a").setResumeSessionId(old.session().value()));

    gateway.locks.answerNext(); // Of the resume; the release by the old is now under way.

    assertThat(fresh.last().getAck().getResumed()).isTrue();
    assertThat(fresh.last().getAck().getFencingToken()).isEqualTo(2);
    assertThat(old.stream().reason()).isEqualTo(GatewayError.SUPERSEDED);
    gateway.locks.answerNext();
    old.connection().streamLost(CloseCause.KEEPALIVE_TIMEOUT, "very late");
    assertThat(gateway.locks.holder(identity("a"))).isNotNull();
    assertThat(gateway.registry.find("agent/acme/builder/a")).isSameAs(fresh.connection().outbox());
    assertThat(fresh.connection().state()).isEqualTo(ConnectionState.HELD);
    assertThat(gateway.leases.keySet()).extracting("session").containsExactly(fresh.session());
    assertThat(gateway.meters.total(Meter.CONNECTION_TAKEOVERS, "")).isEqualTo(1);
    assertThat(gateway.meters.total(Meter.CONNECTION_RESUMES, "")).isEqualTo(1);
  }

  @Test
  void resume_heldByAnotherGateway_asksThatBootToEndTheOld() {
    Client example = gateway.connect("z");
    gateway.locks.put(
        identity("a"), new LockRecord(example.session(), 7, "gw-2", "e2", "key-1", Instant.EPOCH));
    Client fresh = gateway.open();

    fresh.init(agent("a").setResumeSessionId(example.session().value()));

    assertThat(fresh.last().getAck().getFencingToken()).isEqualTo(8);
    assertThat(gateway.bus.asked()).hasSize(1);
    FakeBus.Asked asked = gateway.bus.asked().get(0);
    assertThat(asked.gatewayId()).isEqualTo("gw-2");
    assertThat(asked.epoch()).isEqualTo("e2");
    assertThat(asked.request().getCloseConnection().getSessionId())
        .isEqualTo(example.session().value());
    assertThat(asked.request().getCloseConnection().getCause())
        .isEqualTo(dev.holdfast.protocol.peer.v1.CloseCause.CLOSE_CAUSE_SUPERSEDED);
  }

  /** F9: the release by an old holder reaches Redis when another holds the identity. */
  @Test
  void f9_lateRelease_leavesTheSuccessorAlone() {
    Client old = gateway.connect("a");
    gateway.locks.expire(identity("a"));
    Client next = gateway.connect("a");

    old.connection().streamLost(CloseCause.CONNECTION_LOST, "late");

    assertThat(gateway.locks.holder(identity("a")))
        .isNotNull()
        .extracting(LockRecord::session)
        .isEqualTo(next.session());
    assertThat(next.connection().state()).isEqualTo(ConnectionState.HELD);
    assertThat(gateway.registry.find("agent/acme/builder/a")).isSameAs(next.connection().outbox());
  }

  /** F10: the refresh of an old holder finds its successor; only the old one ends. */
  @Test
  void f10_lateRefreshOfAnOldHolder_endsOnlyTheOld() {
    Client old = gateway.connect("a");
    var oldLease = gateway.lease();
    gateway.locks.expire(identity("a"));
    Client next = gateway.connect("a");

    oldLease.leaseLost(LossCause.NOT_OWNER);

    assertThat(old.stream().reason()).isEqualTo(GatewayError.LOCK_LOST);
    assertThat(next.connection().state()).isEqualTo(ConnectionState.HELD);
    assertThat(gateway.locks.holder(identity("a"))).isNotNull();
  }

  @Test
  void connect_displacedHolderStillHere_isEndedAtOnce() {
    Client old = gateway.connect("a");
    gateway.locks.expire(identity("a"));

    gateway.connect("a");

    assertThat(old.stream().reason()).isEqualTo(GatewayError.LOCK_LOST);
    assertThat(gateway.registry.active()).isEqualTo(1);
  }

  @Test
  void open_full_isRefusedWithRetry_untilAPlaceIsFree() {
    Gateway small = new Gateway(Map.of("holdfast.connection.max", "1"));
    Client first = small.connect("a");

    Client second = small.open();
    first.connection().halfClosed();
    Client third = small.connect("c");

    assertThat(second.stream().reason()).isEqualTo(GatewayError.TOO_MANY_CONNECTIONS);
    assertThat(second.stream().error().retryAfter()).isPresent();
    assertThat(third.connection().state()).isEqualTo(ConnectionState.HELD);
  }

  @Test
  void release_redisGone_goesOnInTheBackgroundUntilAnswered() {
    Client client = gateway.connect("a");
    gateway.locks.down(true);

    client.connection().halfClosed();
    assertThat(client.stream().ended()).isTrue();
    assertThat(client.connection().state()).isEqualTo(ConnectionState.CLOSED);
    gateway.locks.down(false);
    gateway.clock.advance(Duration.ofSeconds(1));

    assertThat(gateway.locks.holder(identity("a"))).isNull();
  }

  @Test
  void view_heldConnection_saysEverything() {
    Client client = gateway.open();
    client.init(agent("a").setClientAgent("test/1"));

    ConnectionView view = gateway.registry.view(client.session()).orElseThrow();

    assertThat(view)
        .isEqualTo(
            new ConnectionView(
                client.session(),
                identity("a"),
                ConnectionState.HELD,
                1,
                Gateway.ID,
                Instant.parse("2026-01-01T00:00:00Z"),
                false,
                "key-1",
                "127.0.0.1:5555",
                "test/1",
                0));
    assertThat(view.toProto().getKind()).isEqualTo("agent");
    assertThat(gateway.registry.views()).isEqualTo(List.of(view));
  }

  private static InitConnection.Builder task(String assignedId) {
    return InitConnection.newBuilder()
        .setPrincipal(
            Principal.newBuilder()
                .setTask(
                    Task.newBuilder()
                        .setWorkspace("acme")
                        .setImplementation("job")
                        .setAssignedId(assignedId)));
  }
}
