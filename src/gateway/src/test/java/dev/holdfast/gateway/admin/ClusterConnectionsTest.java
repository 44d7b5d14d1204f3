package dev.holdfast.gateway.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.gateway.cluster.GatewayRecord;
import dev.holdfast.gateway.cluster.PeerHandler;
import dev.holdfast.gateway.cluster.Self;
import dev.holdfast.gateway.error.GatewayError;
import dev.holdfast.gateway.error.GatewayException;
import dev.holdfast.gateway.identity.ConnectionId;
import dev.holdfast.protocol.peer.v1.CloseCause;
import dev.holdfast.protocol.peer.v1.CloseResult;
import dev.holdfast.protocol.peer.v1.ConnectionInfo;
import dev.holdfast.protocol.peer.v1.ConnectionList;
import dev.holdfast.protocol.peer.v1.PeerReply;
import dev.holdfast.protocol.peer.v1.PeerRequest;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class ClusterConnectionsTest {
  private static final Duration TIMEOUT = Duration.ofSeconds(3);
  private static final ConnectionId HERE = new ConnectionId("conn-" + "a".repeat(32));
  private static final ConnectionId THERE = new ConnectionId("conn-" + "b".repeat(32));
  private static final ConnectionId NOWHERE = new ConnectionId("conn-" + "c".repeat(32));

  private final Map<String, FakeGateway> gateways = new HashMap<>();
  private final List<GatewayRecord> live = new ArrayList<>();
  private final Self self = new Self("one", "e-one", "1", Instant.EPOCH);
  private final FakeGateway one = gateway("one", HERE);
  private final FakeGateway two = gateway("two", THERE);
  private final ClusterConnections cluster =
      new ClusterConnections(
          self,
          () -> CompletableFuture.completedStage(List.copyOf(live)),
          (id, epoch, request, timeout) -> {
            assertThat(timeout).isEqualTo(TIMEOUT);
            return gateways.getOrDefault(id + "/" + epoch, new FakeGateway(true)).handle(request);
          },
          one,
          TIMEOUT);

  @BeforeEach
  void everybodyLives() {
    live.add(record("one"));
    live.add(record("two"));
  }

  @Test
  void list_mergesAllGatewaysAndAsksThisOneOnce() {
    ClusterConnections.Listing listing = Answer.of(cluster.list());

    assertThat(listing.connections())
        .extracting(ConnectionInfo::getSessionId)
        .containsExactlyInAnyOrder(HERE.value(), THERE.value());
    assertThat(listing.unreachableGateways()).isEmpty();
    assertThat(one.asked).hasSize(1);
  }

  @Test
  void list_namesGatewaysThatDoNotAnswer() {
    live.add(record("three"));

    ClusterConnections.Listing listing = Answer.of(cluster.list());

    assertThat(listing.connections()).hasSize(2);
    assertThat(listing.unreachableGateways()).containsExactly("three");
  }

  @Test
  void list_gatewayThatCannotCarryItOut_isUnreachable() {
    two.failure = "not of a kind known here";

    assertThat(Answer.of(cluster.list()).unreachableGateways()).containsExactly("two");
  }

  @Test
  void find_asksForTheOneConnection() {
    assertThat(Answer.of(cluster.find(THERE)).getSessionId()).isEqualTo(THERE.value());
    assertThat(two.asked.get(0).getListConnections().getSessionId()).isEqualTo(THERE.value());
  }

  @Test
  void find_nowhere_isNotFound() {
    assertFails(() -> Answer.of(cluster.find(NOWHERE)), GatewayError.CONNECTION_NOT_FOUND);
  }

  @Test
  void find_nowhereButOneIsSilent_isNotKnown() {
    live.add(record("three"));

    assertFails(() -> Answer.of(cluster.find(NOWHERE)), GatewayError.GATEWAY_UNREACHABLE);
    assertThat(Answer.of(cluster.find(HERE)).getSessionId()).isEqualTo(HERE.value());
  }

  @Test
  void close_onAnotherGateway_forcesTheDisconnect() {
    Answer.of(cluster.close(THERE, "why"));

    assertThat(two.asked.get(0).getCloseConnection().getCause())
        .isEqualTo(CloseCause.CLOSE_CAUSE_FORCE_DISCONNECT);
    assertThat(two.asked.get(0).getCloseConnection().getDetail()).isEqualTo("why");
    assertFails(() -> Answer.of(cluster.close(THERE, "why")), GatewayError.CONNECTION_NOT_FOUND);
  }

  @Test
  void close_releaseNotConfirmed_saysSo() {
    two.releases = false;

    assertFails(() -> Answer.of(cluster.close(THERE, "")), GatewayError.LOCK_STORE_UNAVAILABLE);
  }

  @Test
  void close_nowhereButOneIsSilent_isNotKnown() {
    live.add(record("three"));

    assertFails(() -> Answer.of(cluster.close(NOWHERE, "")), GatewayError.GATEWAY_UNREACHABLE);
  }

  private static void assertFails(ThrowingCallable call, GatewayError error) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(
            GatewayException.class, e -> assertThat(e.error()).isEqualTo(error));
  }

  private FakeGateway gateway(String id, ConnectionId session) {
    FakeGateway gateway = new FakeGateway(false);
    gateway.sessions.add(session.value());
    gateways.put(id + "/e-" + id, gateway);
    return gateway;
  }

  private static GatewayRecord record(String id) {
    return new GatewayRecord(id, "e-" + id, "host:1", "1", Instant.EPOCH, "SERVING", 1);
  }

  private static final class FakeGateway implements PeerHandler {
    private final boolean silent;
    private final List<String> sessions = new ArrayList<>();
    private final List<PeerRequest> asked = new ArrayList<>();
    private boolean releases = true;
    private String failure = "";

    FakeGateway(boolean silent) {
      this.silent = silent;
    }

    @Override
    public CompletionStage<PeerReply> handle(PeerRequest request) {
      asked.add(request);
      if (silent) {
        return CompletableFuture.failedStage(
            new GatewayException(GatewayError.GATEWAY_UNREACHABLE, "no answer"));
      }
      PeerReply.Builder reply = PeerReply.newBuilder();
      if (!failure.isEmpty()) {
        return CompletableFuture.completedStage(reply.setFailure(failure).build());
      }
      if (request.hasListConnections()) {
        reply.setListConnections(list(request.getListConnections().getSessionId()));
      } else {
        boolean found = sessions.remove(request.getCloseConnection().getSessionId());
        reply.setCloseConnection(
            CloseResult.newBuilder().setFound(found).setReleased(found && releases));
      }
      return CompletableFuture.completedStage(reply.build());
    }

    private ConnectionList list(String session) {
      ConnectionList.Builder list = ConnectionList.newBuilder();
      sessions.stream()
          .filter(id -> session.isEmpty() || session.equals(id))
          .forEach(id -> list.addConnections(ConnectionInfo.newBuilder().setSessionId(id)));
      return list.build();
    }
  }
}
