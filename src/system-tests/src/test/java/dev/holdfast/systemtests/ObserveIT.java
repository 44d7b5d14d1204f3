package dev.holdfast.systemtests;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.protocol.gateway.v1.Principal;
import dev.holdfast.systemtests.driver.Admin;
import dev.holdfast.systemtests.driver.HealthWatch;
import dev.holdfast.systemtests.driver.Principals;
import dev.holdfast.systemtests.driver.RawClient;
import dev.holdfast.systemtests.driver.RawConnection;
import dev.holdfast.systemtests.driver.Reflection;
import dev.holdfast.systemtests.driver.Scrape;
import dev.holdfast.systemtests.suite.Clients;
import dev.holdfast.systemtests.suite.Repository;
import dev.holdfast.systemtests.suite.SharedCluster;
import dev.holdfast.systemtests.suite.Suite;
import io.grpc.health.v1.HealthCheckResponse.ServingStatus;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What monitoring sees: health, metrics, reflection. */
@ExtendWith(Suite.class)
final class ObserveIT {
  private static final Pattern METER = Pattern.compile("^\\| `(holdfast_[a-z_]+)` \\| `([a-z_]+)`");
  private static final int STORM = 300;

  @AutoClose private final Clients clients = new Clients();
  private final SharedCluster cluster;

  ObserveIT(SharedCluster cluster) {
    this.cluster = cluster;
  }

  @ParameterizedTest
  @ValueSource(strings = {"/health", "/health/started", "/health/ready", "/health/live"})
  void health_isUp(String path) {
    Admin.Answer answer = new Admin(cluster.first()).anonymous("GET", path);

    assertThat(answer.status()).isEqualTo(200);
    assertThat(answer.object().getString("status")).isEqualTo("UP");
    assertThat(answer.object().getJsonArray("checks")).isNotEmpty();
  }

  @Test
  void grpcHealth_isServing() {
    HealthWatch.of(clients.to(cluster.first()).channel()).await(ServingStatus.SERVING);
  }

  @Test
  void reflection_listsTheServices() {
    assertThat(Reflection.services(clients.to(cluster.first()).channel()))
        .contains("holdfast.gateway.v1.ConnectionService", "grpc.health.v1.Health");
  }

  /** Every meter of the reference is in the scrape, and nothing else of ours. */
  @Test
  void metrics_areThoseOfTheReference() {
    Scrape scrape = Scrape.of(new Admin(cluster.first()));
    List<String> documented = new ArrayList<>();
    for (String line : Repository.lines("docs/reference/metrics.md")) {
      Matcher meter = METER.matcher(line);
      if (meter.find()) {
        documented.add(meter.group(1));
        assertThat(scrape.has(meter.group(2))).as(meter.group(2)).isTrue();
      }
    }
    assertThat(documented).hasSizeGreaterThan(10);
    assertThat(scrape.lines())
        .filteredOn(line -> line.startsWith("holdfast_"))
        .allMatch(line -> documented.stream().anyMatch(line::startsWith));
  }

  /** After a storm of connects, resumes, refusals and ends: held opens = closes + active. */
  @Test
  void metrics_afterAStorm_opensAreClosesPlusActive() {
    Admin admin = new Admin(cluster.first());
    storm(clients.to(cluster.first()), new Random(7));

    Awaitility.await("the books balance")
        .atMost(Duration.ofSeconds(15))
        .untilAsserted(() -> assertBalanced(Scrape.of(admin)));
    clients.close();
    Awaitility.await("the books balance when all have left")
        .atMost(Duration.ofSeconds(15))
        .untilAsserted(() -> assertBalanced(Scrape.of(admin)));
  }

  private static void storm(RawClient client, Random random) {
    for (int i = 0; i < STORM; i++) {
      Principal principal = Principals.agent("acme", "storm", Integer.toString(random.nextInt(40)));
      RawConnection next = client.connect(principal);
      switch (random.nextInt(4)) {
        case 0 -> next.cancel();
        case 1 -> next.halfClose();
        case 2 -> resumeIfHeld(client, principal, next);
        default -> {} // It stays until the client goes.
      }
    }
  }

  private static void resumeIfHeld(RawClient client, Principal principal, RawConnection old) {
    if (old.isHeld()) {
      client.resume(principal, old.ack().getSessionId());
    }
  }

  private static void assertBalanced(Scrape scrape) {
    double held = scrape.sum("holdfast_connection_opens_total", "outcome=\"held\"");
    double closed = scrape.sum("holdfast_connection_closes_total");
    double active = scrape.sum("holdfast_connections_active");
    assertThat(held).isPositive().isEqualTo(closed + active);
  }
}
