package dev.holdfast.systemtests;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.protocol.gateway.v1.LeaseState;
import dev.holdfast.protocol.gateway.v1.Principal;
import dev.holdfast.systemtests.driver.End;
import dev.holdfast.systemtests.driver.Principals;
import dev.holdfast.systemtests.driver.RawClient;
import dev.holdfast.systemtests.driver.RawConnection;
import dev.holdfast.systemtests.harness.GatewayProcess;
import dev.holdfast.systemtests.suite.Clients;
import dev.holdfast.systemtests.suite.FaultyCluster;
import dev.holdfast.systemtests.suite.Suite;
import dev.holdfast.systemtests.suite.Takeover;
import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Gateways that are killed, or that stand still for longer than their locks last. */
@ExtendWith(Suite.class)
final class GatewayDeathIT {
  private static final Duration TTL = FaultyCluster.TTL;

  @AutoClose private final Clients clients = new Clients();
  private final FaultyCluster cluster;

  GatewayDeathIT(FaultyCluster cluster) {
    this.cluster = cluster;
  }

  @AfterEach
  void heal() {
    cluster.heal();
  }

  @Test
  void kill9_ofAGateway_itsSessionsResumeAtOnceAndStrangersWaitForTheTtl() {
    try (GatewayProcess doomed = cluster.another().start()) {
      Principal resuming = Principals.freshAgent();
      Principal wanted = Principals.freshAgent();
      RawClient before = clients.to(doomed);
      RawConnection old = before.connect(resuming).held();
      RawConnection other = before.connect(wanted).held();

      long killed = System.nanoTime();
      doomed.kill9();

      RawClient survivor = clients.to(cluster.second());
      RawConnection resumed = survivor.resume(resuming, old.ack().getSessionId()).held();
      assertThat(resumed.ack().getResumed()).isTrue();
      assertThat(Duration.ofNanos(System.nanoTime() - killed)).isLessThan(TTL.dividedBy(2));
      End refusal = survivor.connect(wanted).end();
      assertThat(refusal.reason()).isEqualTo("DUPLICATE_IDENTITY");
      assertThat(refusal.retryAfter().orElseThrow()).isLessThanOrEqualTo(TTL);

      RawConnection stranger = Takeover.connect(survivor, wanted);
      assertThat(Duration.ofNanos(System.nanoTime() - killed)).isLessThan(TTL.plusSeconds(1));
      assertThat(stranger.ack().getFencingToken()).isGreaterThan(other.ack().getFencingToken());
    }
  }

  /** A gateway stands still past its TTL: its late refresh harms nobody, its client is told. */
  @Test
  void f2_f10_gatewayFrozenPastTheTtl_lateRefreshLeavesTheSuccessorAlone() {
    Principal agent = Principals.freshAgent();
    RawConnection old = clients.to(cluster.first()).connect(agent).held();
    RawConnection next = takeOverWhileFrozen(old, agent, () -> {});

    old.lease(LeaseState.LEASE_STATE_LOST);
    assertThat(old.end().reason()).isEqualTo("LOCK_LOST");
    assertLeftAlone(old, next);
  }

  /** The client of a frozen gateway leaves: the late release harms nobody. */
  @Test
  void f9_clientLeavesAGatewayFrozenPastTheTtl_lateReleaseLeavesTheSuccessorAlone() {
    Principal agent = Principals.freshAgent();
    RawConnection old = clients.to(cluster.first()).connect(agent).held();
    RawConnection next = takeOverWhileFrozen(old, agent, old::cancel);

    assertLeftAlone(old, next);
  }

  private RawConnection takeOverWhileFrozen(
      RawConnection old, Principal principal, Runnable meanwhile) {
    String identity = old.ack().getIdentity();
    cluster.first().process().pause();
    meanwhile.run();
    Awaitility.await("the end of the lock").until(() -> !cluster.locks().isHeld(identity));
    RawConnection next = clients.to(cluster.second()).connect(principal).held();
    cluster.first().process().resume();
    return next;
  }

  private void assertLeftAlone(RawConnection old, RawConnection next) {
    assertThat(next.ack().getFencingToken()).isGreaterThan(old.ack().getFencingToken());
    Awaitility.await("the successor is left alone")
        .during(TTL)
        .atMost(TTL.multipliedBy(2))
        .until(
            () ->
                next.isOpen()
                    && cluster
                        .locks()
                        .holder(next.ack().getIdentity())
                        .contains(next.ack().getSessionId()));
    assertThat(next.frames()).noneMatch(frame -> frame.hasLease());
  }
}
