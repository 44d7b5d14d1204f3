package dev.holdfast.systemtests;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.protocol.gateway.v1.ConnectionAck;
import dev.holdfast.protocol.gateway.v1.Principal;
import dev.holdfast.systemtests.driver.HolderProgram;
import dev.holdfast.systemtests.driver.Principals;
import dev.holdfast.systemtests.driver.RawClient;
import dev.holdfast.systemtests.driver.RawConnection;
import dev.holdfast.systemtests.harness.ChildProcess;
import dev.holdfast.systemtests.harness.CutProxy;
import dev.holdfast.systemtests.harness.JavaProcess;
import dev.holdfast.systemtests.suite.Clients;
import dev.holdfast.systemtests.suite.SharedCluster;
import dev.holdfast.systemtests.suite.Suite;
import dev.holdfast.systemtests.suite.Takeover;
import dev.holdfast.systemtests.suite.TestKeys;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Clients that die or lose their network. */
@ExtendWith(Suite.class)
final class ClientDeathIT {
  @AutoClose private final Clients clients = new Clients();
  private final SharedCluster cluster;

  ClientDeathIT(SharedCluster cluster) {
    this.cluster = cluster;
  }

  @Test
  void kill9_ofAClient_freesItsIdentityWithinASecondOnTheOtherGateway() {
    try (ChildProcess holder =
        JavaProcess.start(
            HolderProgram.class,
            List.of(cluster.first().grpcTarget(), "killed"),
            Map.of(HolderProgram.API_KEY, TestKeys.ALL))) {
      String held = holder.awaitLine(l -> l.startsWith("held "), Duration.ofSeconds(30));
      Principal same = Principals.agent("acme", "holder", "killed");
      RawClient other = clients.to(cluster.second());
      assertThat(other.connect(same).end().reason()).isEqualTo("DUPLICATE_IDENTITY");

      long killed = System.nanoTime();
      holder.kill9();
      ConnectionAck next = Takeover.connect(other, same).ack();

      assertThat(Duration.ofNanos(System.nanoTime() - killed)).isLessThan(Duration.ofSeconds(1));
      assertThat(next.getFencingToken()).isGreaterThan(tokenIn(held));
      assertThat(next.getResumed()).isFalse();
    }
  }

  /** A network that swallows everything is found by the gateway's keepalive. */
  @Test
  void f17_halfOpenTcp_isFoundByKeepalive() {
    try (CutProxy network = CutProxy.to(cluster.first().grpcPort())) {
      Principal agent = Principals.freshAgent();
      RawConnection lost = clients.toPort(network.port()).connect(agent).held();

      long silent = System.nanoTime();
      network.blackHole();
      Takeover.connect(clients.to(cluster.second()), agent);

      // 10 s of silence and 1 s for the answer; else the gateway would refresh the lock for ever.
      assertThat(Duration.ofNanos(System.nanoTime() - silent)).isLessThan(Duration.ofSeconds(15));
      assertThat(lost.isOpen()).as("the client has not been told yet").isTrue();
      network.heal();
      assertThat(lost.end().status().isOk()).isFalse();
    }
  }

  /** The late end of the old, half-open stream does not touch the session that replaced it. */
  @Test
  void f37_resumeOnTheSameGatewayWhileTheOldStreamIsHalfOpen_outlivesTheOldStreamsCleanUp() {
    try (CutProxy network = CutProxy.to(cluster.first().grpcPort())) {
      Principal agent = Principals.freshAgent();
      RawConnection old = clients.toPort(network.port()).connect(agent).held();
      String identity = old.ack().getIdentity();
      network.blackHole();

      RawConnection resumed =
          clients.to(cluster.first()).resume(agent, old.ack().getSessionId()).held();

      assertThat(resumed.ack().getResumed()).isTrue();
      assertThat(resumed.ack().getFencingToken()).isGreaterThan(old.ack().getFencingToken());
      network.heal();
      assertThat(old.end().status().isOk()).isFalse();
      Awaitility.await()
          .during(Duration.ofSeconds(2))
          .atMost(Duration.ofSeconds(4))
          .until(
              () ->
                  resumed.isOpen()
                      && cluster.locks().holder(identity).contains(resumed.ack().getSessionId()));
    }
  }

  @Test
  void cutNetwork_andResumeOnTheOtherGateway_leavesNoGapForOthers() {
    try (CutProxy network = CutProxy.to(cluster.first().grpcPort())) {
      Principal agent = Principals.freshAgent();
      RawConnection old = clients.toPort(network.port()).connect(agent).held();
      network.blackHole();

      ConnectionAck ack =
          clients.to(cluster.second()).resume(agent, old.ack().getSessionId()).ack();

      assertThat(ack.getResumed()).isTrue();
      assertThat(clients.to(cluster.first()).connect(agent).end().reason())
          .isEqualTo("DUPLICATE_IDENTITY");
    }
  }

  private static long tokenIn(String held) {
    return Long.parseLong(held.substring(held.lastIndexOf(' ') + 1));
  }
}
