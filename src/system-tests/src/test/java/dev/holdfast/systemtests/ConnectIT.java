package dev.holdfast.systemtests;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.protocol.gateway.v1.ConnectionAck;
import dev.holdfast.protocol.gateway.v1.Principal;
import dev.holdfast.systemtests.driver.End;
import dev.holdfast.systemtests.driver.Principals;
import dev.holdfast.systemtests.driver.RawClient;
import dev.holdfast.systemtests.driver.RawConnection;
import dev.holdfast.systemtests.suite.Clients;
import dev.holdfast.systemtests.suite.SharedCluster;
import dev.holdfast.systemtests.suite.Suite;
import dev.holdfast.systemtests.suite.TestKeys;
import io.grpc.Status;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What a client gets for {@code init}: an ack, or a refusal that says why and when to come back.
 */
@ExtendWith(Suite.class)
final class ConnectIT {
  private static final String SESSION_ID = "conn-[0-9a-f]{32}";

  @AutoClose private final Clients clients = new Clients();
  private final SharedCluster cluster;

  ConnectIT(SharedCluster cluster) {
    this.cluster = cluster;
  }

  static Stream<Arguments> principals() {
    return Stream.of(
        Arguments.of(Principals.agent("ack", "builder", "7"), "agent/ack/builder/7"),
        Arguments.of(Principals.uniqueTask("ack", "index", "7"), "unique-task/ack/index/7"),
        Arguments.of(Principals.user("ann", "tab-1"), "user/ann/tab-1"),
        Arguments.of(Principals.workflowEngine(), "workflow-engine"),
        Arguments.of(Principals.metricsBridge(), "metrics-bridge"),
        Arguments.of(Principals.orchestrator("ack", "7"), "orchestrator/ack/7"),
        Arguments.of(Principals.service("ack", "7"), "service/ack/7"));
  }

  @ParameterizedTest
  @MethodSource("principals")
  void connect_ofEachUniqueKind_isAcknowledgedWithEveryField(Principal principal, String identity) {
    ConnectionAck ack = clients.to(cluster.first()).connect(principal).ack();

    assertThat(ack.getIdentity()).isEqualTo(identity);
    assertThat(ack.getAssignedId()).isEmpty();
    assertThat(ack.getSessionId()).matches(SESSION_ID);
    assertThat(ack.getResumed()).isFalse();
    assertThat(ack.getFencingToken()).isPositive();
    assertThat(ack.getLockTtl().getSeconds()).isEqualTo(10);
    assertThat(ack.getGatewayId()).isEqualTo(cluster.first().id());
    assertThat(ack.getServerVersion()).isNotEmpty();
    assertThat(ack.getMaxPayloadBytes()).isEqualTo(SharedCluster.MAX_PAYLOAD_BYTES);
  }

  @Test
  void connect_ofNonUniqueTasks_assignsEachAnIdOfItsOwn() {
    RawClient client = clients.to(cluster.first());
    Principal task = Principals.task("acme", "index", "");

    ConnectionAck one = client.connect(task).ack();
    ConnectionAck other = client.connect(task).ack();

    assertThat(one.getAssignedId()).isNotEmpty().isNotEqualTo(other.getAssignedId());
    assertThat(one.getIdentity()).isEqualTo("task/acme/index/" + one.getAssignedId());
    assertThat(other.getIdentity()).isEqualTo("task/acme/index/" + other.getAssignedId());
  }

  @Test
  void resume_ofNonUniqueTask_onTheOtherGateway_keepsItsId() {
    RawConnection old = clients.to(cluster.first()).connect(Principals.task("acme", "index", ""));
    ConnectionAck before = old.ack();

    ConnectionAck after =
        clients
            .to(cluster.second())
            .resume(Principals.task("acme", "index", before.getAssignedId()), before.getSessionId())
            .ack();

    assertThat(after.getResumed()).isTrue();
    assertThat(after.getIdentity()).isEqualTo(before.getIdentity());
    assertThat(after.getAssignedId()).isEqualTo(before.getAssignedId());
    assertThat(after.getFencingToken()).isGreaterThan(before.getFencingToken());
    assertThat(old.end().reason()).isEqualTo("SUPERSEDED");
  }

  @Test
  void connect_whileHeldOnTheOtherGateway_isRefusedWithSinceAndWhenToComeBack() {
    Instant before = Instant.now();
    Principal agent = Principals.freshAgent();
    RawConnection holder = clients.to(cluster.first()).connect(agent).held();

    End refusal = clients.to(cluster.second()).connect(agent).end();

    assertThat(refusal.code()).isEqualTo(Status.Code.ALREADY_EXISTS);
    assertThat(refusal.reason()).isEqualTo("DUPLICATE_IDENTITY");
    assertThat(refusal.info().orElseThrow().getDomain()).isEqualTo("holdfast.dev");
    assertThat(refusal.metadata()).containsEntry("identity", holder.ack().getIdentity());
    Instant since = Instant.parse(refusal.metadata().getOrDefault("held_since", ""));
    assertThat(since).isBetween(before.minusSeconds(1), Instant.now().plusSeconds(1));
    assertThat(refusal.retryAfter().orElseThrow())
        .isPositive()
        .isLessThanOrEqualTo(Duration.ofSeconds(10));
    assertThat(holder.isOpen()).isTrue();
  }

  @Test
  void end_inGoodOrder_letsTheNextOneInAtOnceOnTheOtherGateway() {
    Principal agent = Principals.freshAgent();
    RawConnection first = clients.to(cluster.first()).connect(agent).held();

    first.halfClose();

    assertThat(first.end().status().isOk()).isTrue();
    ConnectionAck next = clients.to(cluster.second()).connect(agent).ack();
    assertThat(next.getFencingToken()).isGreaterThan(first.ack().getFencingToken());
    assertThat(next.getResumed()).isFalse();
  }

  @Test
  void resume_ofSessionThatNoLongerHolds_isAnOrdinaryConnect() {
    Principal agent = Principals.freshAgent();
    RawConnection first = clients.to(cluster.first()).connect(agent).held();
    first.halfClose();
    assertThat(first.end().status().isOk()).isTrue();

    ConnectionAck next =
        clients.to(cluster.second()).resume(agent, first.ack().getSessionId()).ack();

    assertThat(next.getResumed()).isFalse();
    assertThat(next.getFencingToken()).isGreaterThan(first.ack().getFencingToken());
  }

  /** A stolen session id is worth nothing without the API key that opened the session. */
  @Test
  void f13_resumeWithTheSessionIdOfAnotherKey_isRefused() {
    Principal agent = Principals.freshAgent();
    RawConnection holder = clients.to(cluster.first()).connect(agent).held();

    for (RawClient thief :
        List.of(
            clients.to(cluster.first(), TestKeys.OTHER),
            clients.to(cluster.second(), TestKeys.OTHER))) {
      End refusal = thief.resume(agent, holder.ack().getSessionId()).end();
      assertThat(refusal.reason()).isEqualTo("DUPLICATE_IDENTITY");
    }
    assertThat(holder.isOpen()).isTrue();
    assertThat(cluster.locks().holder(holder.ack().getIdentity()))
        .contains(holder.ack().getSessionId());
  }

  static Stream<Arguments> lookalikes() {
    return Stream.of(
        Arguments.of(Principals.agent("a/b", "c", "d"), Principals.agent("a", "b/c", "d")),
        Arguments.of(Principals.agent("a", "b", "c/d"), Principals.agent("a", "b/c", "d")),
        Arguments.of(Principals.user("a/b", "c"), Principals.user("a", "b/c")),
        Arguments.of(Principals.user("a%2Fb", "c"), Principals.user("a/b", "c")),
        Arguments.of(Principals.user("a%", "c"), Principals.user("a%25", "c")),
        Arguments.of(Principals.user("{a}", "c"), Principals.user("a", "c")),
        Arguments.of(Principals.user("a}:lock", "c"), Principals.user("a", "c}:lock")),
        Arguments.of(Principals.user("é", "c"), Principals.user("e\u0301", "c")),
        Arguments.of(Principals.user("😀", "c"), Principals.user("😁", "c")),
        Arguments.of(Principals.user("a ", "c"), Principals.user("a", "c")),
        Arguments.of(Principals.user("A", "c"), Principals.user("a", "c")),
        Arguments.of(Principals.agent("x", "y", "z"), Principals.uniqueTask("x", "y", "z")),
        Arguments.of(Principals.service("y", "z"), Principals.orchestrator("y", "z")));
  }

  /** Two principals whose parts differ never share a lock, whatever their parts hold. */
  @ParameterizedTest
  @MethodSource("lookalikes")
  void f38_principalsThatLookAlike_areHeldSideBySide(Principal one, Principal other) {
    ConnectionAck first = clients.to(cluster.first()).connect(one).ack();
    RawConnection second = clients.to(cluster.second()).connect(other);

    assertThat(second.ack().getIdentity()).isNotEqualTo(first.getIdentity());
    End refusal = clients.to(cluster.second()).connect(one).end();
    assertThat(refusal.reason()).isEqualTo("DUPLICATE_IDENTITY");
  }

  static Stream<Principal> incomplete() {
    return Stream.of(
        Principal.getDefaultInstance(),
        Principals.agent("", "b", "c"),
        Principals.agent("a", "", "c"),
        Principals.agent("a", "b", ""),
        Principals.user("a\nb", "c"),
        Principals.user("x".repeat(201), "c"));
  }

  @ParameterizedTest
  @MethodSource("incomplete")
  void connect_asWhatIsNoIdentity_isRefused(Principal principal) {
    End refusal = clients.to(cluster.first()).connect(principal).end();

    assertThat(refusal.code()).isEqualTo(Status.Code.INVALID_ARGUMENT);
    assertThat(refusal.reason()).isEqualTo("INVALID_IDENTITY");
  }

  @Test
  void cancel_freesTheIdentityForTheOtherGateway() {
    Principal agent = Principals.freshAgent();
    RawConnection first = clients.to(cluster.first()).connect(agent).held();

    first.cancel();

    Awaitility.await()
        .atMost(Duration.ofSeconds(5))
        .until(() -> !cluster.locks().isHeld(first.ack().getIdentity()));
    clients.to(cluster.second()).connect(agent).ack();
  }
}
