package dev.holdfast.systemtests;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.protocol.gateway.v1.LeaseState;
import dev.holdfast.protocol.gateway.v1.Principal;
import dev.holdfast.systemtests.driver.End;
import dev.holdfast.systemtests.driver.Principals;
import dev.holdfast.systemtests.driver.RawClient;
import dev.holdfast.systemtests.driver.RawConnection;
import dev.holdfast.systemtests.suite.Clients;
import dev.holdfast.systemtests.suite.FaultyCluster;
import dev.holdfast.systemtests.suite.Locks;
import dev.holdfast.systemtests.suite.Suite;
import io.grpc.Status;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What happens to those who hold an identity while Redis is slow, silent, restarted or altered. */
@ExtendWith(Suite.class)
final class RedisFaultIT {
  private static final Duration TWO_TTLS = FaultyCluster.TTL.multipliedBy(2);

  @AutoClose private final Clients clients = new Clients();
  private final FaultyCluster cluster;
  private final Locks locks;

  RedisFaultIT(FaultyCluster cluster) {
    this.cluster = cluster;
    this.locks = cluster.locks();
  }

  @AfterEach
  void heal() {
    cluster.heal();
  }

  /** Redis answers, but later than the refresh interval. */
  @Test
  void f5_redisSlowerThanTheRefreshInterval_costsNobodyTheLock() {
    List<RawConnection> held = holdOnFirst(20);

    cluster.firstToRedis().delay(FaultyCluster.REFRESH.dividedBy(2).plusMillis(100));

    Awaitility.await("nobody loses the lock")
        .during(TWO_TTLS)
        .atMost(TWO_TTLS.multipliedBy(2))
        .until(() -> held.stream().allMatch(this::owns));
    assertThat(held).noneMatch(RedisFaultIT::wasTold);
  }

  /** A refresh takes effect in Redis, but the gateway never hears of it. */
  @Test
  void f6_replyOfARefreshLost_costsNobodyTheLock() {
    RawConnection held = holdOnFirst(1).get(0);

    loseTheReplyOfARefresh(held.ack().getIdentity());

    Awaitility.await("the lock is kept")
        .during(TWO_TTLS)
        .atMost(TWO_TTLS.multipliedBy(2))
        .until(() -> owns(held));
    assertThat(held.ack().getFencingToken()).isPositive();
    held.message("m-1", held.ack().getIdentity(), "still here").received("m-1");
  }

  /** An acquire takes effect in Redis, but the gateway never hears of it. */
  @Test
  void f7_replyOfAnAcquireLost_isNotTakenForAnotherHolder() {
    Principal agent = Principals.freshAgent();
    RawClient client = clients.to(cluster.first());
    String identity = identityOf(client, agent);
    cluster.firstToRedis().loseReplies();
    RawConnection asked = client.connect(agent);
    Awaitility.await("the lock in Redis").until(() -> locks.isHeld(identity));

    cluster.firstToRedis().heal();

    if (!asked.isHeld()) {
      End end = asked.end();
      assertThat(end.reason()).as(end.toString()).isEqualTo("LOCK_STORE_UNAVAILABLE");
      assertThat(end.retryAfter()).isPresent();
      long failed = System.nanoTime();
      RawConnection again = retry(client, agent);
      assertThat(owns(again)).isTrue();
      assertThat(Duration.ofNanos(System.nanoTime() - failed)).isLessThan(FaultyCluster.TTL);
    }
  }

  /** The lock vanishes from Redis; the client, which never sends, is told and its stream ended. */
  @Test
  void f39_lockGone_endsTheStreamOfAClientThatNeverSends() {
    RawConnection held = holdOnFirst(1).get(0);

    long deleted = System.nanoTime();
    locks.delete(held.ack().getIdentity());

    assertThat(held.lease(LeaseState.LEASE_STATE_LOST).getRemaining().getSeconds()).isZero();
    End end = assertLockLost(held);
    assertThat(Duration.ofNanos(end.nanos() - deleted))
        .isLessThan(FaultyCluster.REFRESH.multipliedBy(4));
  }

  /** The lock has become another's: the former holder is told, the new one is left alone. */
  @Test
  void f39_lockTakenByAnother_endsTheFormerHolderOnly() {
    Principal agent = Principals.freshAgent();
    RawConnection former = clients.to(cluster.first()).connect(agent).held();
    locks.delete(former.ack().getIdentity());
    RawConnection next = clients.to(cluster.second()).connect(agent).held();

    assertLockLost(former);

    assertThat(next.ack().getFencingToken()).isGreaterThan(former.ack().getFencingToken());
    Awaitility.await("the new holder is left alone")
        .during(FaultyCluster.REFRESH.multipliedBy(3))
        .atMost(FaultyCluster.TTL.multipliedBy(2))
        .until(() -> owns(next));
  }

  /** Redis stands still for longer than the lease: clients are told before the TTL could pass. */
  @Test
  void f39_redisSilentLongerThanTheLease_suspectThenLostThenTheEndBeforeTheTtl() {
    RawConnection held = holdOnFirst(1).get(0);

    long silent = System.nanoTime();
    cluster.redis().pause();

    held.lease(LeaseState.LEASE_STATE_SUSPECT);
    held.lease(LeaseState.LEASE_STATE_LOST);
    End end = assertLockLost(held);
    assertThat(Duration.ofNanos(end.nanos() - silent)).isLessThan(FaultyCluster.TTL);
    assertThat(leaseStates(held))
        .containsExactly(LeaseState.LEASE_STATE_SUSPECT, LeaseState.LEASE_STATE_LOST);
  }

  @Test
  void redisSilentShorterThanTheLease_suspectThenHeldAgain() {
    RawConnection held = holdOnFirst(1).get(0);
    cluster.redis().pause();
    held.lease(LeaseState.LEASE_STATE_SUSPECT);

    cluster.redis().resume();

    held.lease(LeaseState.LEASE_STATE_HELD);
    assertThat(owns(held)).isTrue();
  }

  @Test
  void redisRestartShorterThanTheLease_costsNoConnection() {
    List<RawConnection> held =
        Stream.concat(
                holdOnFirst(10).stream(),
                Stream.of(clients.to(cluster.second()).connect(Principals.freshAgent()).held()))
            .toList();

    cluster.redis().stop();
    cluster.redis().startAgain();

    Awaitility.await("everybody keeps the lock")
        .during(TWO_TTLS)
        .atMost(TWO_TTLS.multipliedBy(2))
        .until(() -> held.stream().allMatch(this::owns));
  }

  /** Redis is gone and the gateway says so, but is not restarted for it. */
  @Test
  void redisSilent_turnsReadyOffAndLeavesLiveOn() {
    cluster.firstToRedis().blackHole();

    Awaitility.await("not ready")
        .atMost(Duration.ofSeconds(20))
        .until(() -> cluster.first().status("/health/ready") == 503);
    assertThat(cluster.first().status("/health/live")).isEqualTo(200);
    assertThat(cluster.second().status("/health/ready")).isEqualTo(200);
    End end = clients.to(cluster.first()).connect(Principals.freshAgent()).end();
    assertThat(end.code()).isEqualTo(Status.Code.UNAVAILABLE);
    assertThat(end.reason()).isEqualTo("LOCK_STORE_UNAVAILABLE");
    assertThat(end.retryAfter()).isPresent();
  }

  private List<RawConnection> holdOnFirst(int count) {
    RawClient client = clients.to(cluster.first());
    List<RawConnection> all =
        Stream.generate(() -> client.connect(Principals.freshAgent())).limit(count).toList();
    all.forEach(RawConnection::ack);
    return all;
  }

  private boolean owns(RawConnection connection) {
    return connection.isOpen()
        && locks.holder(connection.ack().getIdentity()).contains(connection.ack().getSessionId());
  }

  private static boolean wasTold(RawConnection connection) {
    return leaseStates(connection).contains(LeaseState.LEASE_STATE_LOST);
  }

  private static List<LeaseState> leaseStates(RawConnection connection) {
    return connection.frames().stream()
        .filter(frame -> frame.hasLease())
        .map(frame -> frame.getLease().getState())
        .toList();
  }

  private void loseTheReplyOfARefresh(String identity) {
    Awaitility.await("a lock that is about to be refreshed")
        .pollInterval(Duration.ofMillis(10))
        .until(() -> locks.remainingMillis(identity) < FaultyCluster.TTL.toMillis() - 200);
    cluster.firstToRedis().loseReplies();
    Awaitility.await("a refresh in Redis")
        .pollInterval(Duration.ofMillis(10))
        .until(() -> locks.remainingMillis(identity) > FaultyCluster.TTL.toMillis() - 150);
    cluster.firstToRedis().heal();
  }

  /** Connects once, to learn the identity string and to have the scripts loaded. */
  private String identityOf(RawClient client, Principal principal) {
    RawConnection once = client.connect(principal);
    String identity = once.ack().getIdentity();
    once.halfClose();
    assertThat(once.end().status().isOk()).isTrue();
    return identity;
  }

  private static RawConnection retry(RawClient client, Principal principal) {
    return Awaitility.await("the identity")
        .pollDelay(Duration.ZERO)
        .pollInterval(Duration.ofMillis(100))
        .atMost(FaultyCluster.TTL)
        .until(
            () -> {
              RawConnection again = client.connect(principal);
              if (!again.isHeld()) {
                assertThat(again.end().reason()).isEqualTo("LOCK_STORE_UNAVAILABLE");
              }
              return again;
            },
            RawConnection::isHeld);
  }

  private static End assertLockLost(RawConnection connection) {
    End end = connection.end();
    assertThat(end.reason()).as(connection.toString()).isEqualTo("LOCK_LOST");
    assertThat(end.code()).isEqualTo(Status.Code.ABORTED);
    return end;
  }
}
