package dev.holdfast.systemtests;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.protocol.gateway.v1.GoingAway;
import dev.holdfast.systemtests.driver.End;
import dev.holdfast.systemtests.driver.HealthWatch;
import dev.holdfast.systemtests.driver.Principals;
import dev.holdfast.systemtests.driver.RawClient;
import dev.holdfast.systemtests.driver.RawConnection;
import dev.holdfast.systemtests.harness.CutProxy;
import dev.holdfast.systemtests.harness.GatewayProcess;
import dev.holdfast.systemtests.suite.Clients;
import dev.holdfast.systemtests.suite.FaultyCluster;
import dev.holdfast.systemtests.suite.Suite;
import io.grpc.Status;
import io.grpc.health.v1.HealthCheckResponse.ServingStatus;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A gateway that is stopped in good order. */
@ExtendWith(Suite.class)
final class DrainIT {
  private static final int HOLDERS = 200;

  /** The gateway's own deadline is 5 s; the rest is the end of the server around it. */
  private static final Duration STOP_LIMIT = Duration.ofSeconds(15);

  @AutoClose private final Clients clients = new Clients();
  private final FaultyCluster cluster;

  DrainIT(FaultyCluster cluster) {
    this.cluster = cluster;
  }

  /** Whoever opens a stream while the gateway stops is told to come back; no lock stays behind. */
  @Test
  void f36_openDuringDrain_isRefusedWithWhenToComeBackAndLeavesNoLock() {
    try (GatewayProcess stopping = cluster.another().start()) {
      RawClient client = clients.to(stopping);
      HealthWatch health = HealthWatch.of(client.channel());
      health.await(ServingStatus.SERVING);
      List<RawConnection> holders = hold(client, HOLDERS);

      stopping.process().terminate();
      List<RawConnection> late = openUntilTheEnd(client, stopping);

      assertThat(stopping.process().awaitExit(STOP_LIMIT)).isTrue();
      assertThat(health.seen()).contains(ServingStatus.NOT_SERVING);
      holders.forEach(DrainIT::assertToldToGo);
      assertThat(late).extracting(c -> c.end().code()).containsOnly(Status.Code.UNAVAILABLE);
      assertThat(late.stream().filter(c -> c.frames().isEmpty()).map(RawConnection::end))
          .filteredOn(end -> end.reason().equals("SHUTTING_DOWN"))
          .as("refusals while draining: %s", late)
          .isNotEmpty()
          .allSatisfy(end -> assertThat(end.retryAfter()).isPresent());
      assertThat(cluster.locks().holders()).noneMatch(h -> h.contains(stopping.id()));
      String free = holders.get(0).ack().getIdentity();
      assertThat(cluster.locks().isHeld(free)).isFalse();
    }
  }

  /**
   * Redis is gone when the gateway is to release its locks: it stops inside its deadline anyway.
   */
  @Test
  void f36_redisGoneWhileDraining_stopsInsideItsDeadline() {
    try (CutProxy network = CutProxy.to(cluster.redis().port());
        GatewayProcess stopping = cluster.gateway(network.port()).start()) {
      List<RawConnection> holders = hold(clients.to(stopping), 5);
      network.blackHole();

      stopping.process().terminate();

      assertThat(stopping.process().awaitExit(STOP_LIMIT)).isTrue();
      holders.forEach(c -> assertThat(c.end().reason()).isIn("SHUTTING_DOWN", "LOCK_LOST"));
    }
  }

  private static List<RawConnection> hold(RawClient client, int count) {
    List<RawConnection> holders =
        Stream.generate(() -> client.connect(Principals.freshAgent())).limit(count).toList();
    holders.forEach(RawConnection::ack);
    return holders;
  }

  private static List<RawConnection> openUntilTheEnd(RawClient client, GatewayProcess gateway) {
    List<RawConnection> opened = new ArrayList<>();
    boolean portClosed = false;
    while (gateway.process().isAlive() && !portClosed) {
      RawConnection next = client.connect(Principals.freshAgent());
      opened.add(next);
      portClosed = !next.isHeld() && next.end().info().isEmpty();
    }
    return opened;
  }

  private static void assertToldToGo(RawConnection holder) {
    GoingAway told = holder.goingAway();
    assertThat(told.hasRetryAfter()).isTrue();
    assertThat(told.hasEndsAt()).isTrue();
    End end = holder.end();
    assertThat(end.code()).isEqualTo(Status.Code.UNAVAILABLE);
    assertThat(end.reason()).isEqualTo("SHUTTING_DOWN");
    assertThat(end.retryAfter()).isPresent();
  }
}
