package dev.holdfast.systemtests;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.protocol.gateway.v1.Principal;
import dev.holdfast.systemtests.driver.Admin;
import dev.holdfast.systemtests.driver.End;
import dev.holdfast.systemtests.driver.Principals;
import dev.holdfast.systemtests.driver.RawClient;
import dev.holdfast.systemtests.driver.RawConnection;
import dev.holdfast.systemtests.driver.Scrape;
import dev.holdfast.systemtests.suite.Clients;
import dev.holdfast.systemtests.suite.SharedCluster;
import dev.holdfast.systemtests.suite.Suite;
import dev.holdfast.systemtests.suite.TestKeys;
import io.grpc.Status;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Who does not show an API key that may hold the identity gets nothing, and gets it late. */
@ExtendWith(Suite.class)
final class AuthenticationIT {
  @AutoClose private final Clients clients = new Clients();
  private final SharedCluster cluster;

  AuthenticationIT(SharedCluster cluster) {
    this.cluster = cluster;
  }

  @Test
  void connect_withoutKey_isRefused() {
    RawClient client = clients.keep(RawClient.withoutKey(cluster.first().grpcTarget()));

    End end = client.connect(Principals.freshAgent()).end();

    assertThat(end.code()).isEqualTo(Status.Code.UNAUTHENTICATED);
    assertThat(end.reason()).isEqualTo("MISSING_API_KEY");
  }

  @Test
  void connect_withUnknownKey_isRefusedWithoutSayingTheKey() {
    RawClient client = clients.to(cluster.first(), "hf_no-such-key");

    End end = client.connect(Principals.freshAgent()).end();

    assertThat(end.code()).isEqualTo(Status.Code.UNAUTHENTICATED);
    assertThat(end.reason()).isEqualTo("INVALID_API_KEY");
    assertThat(end.toString()).doesNotContain("no-such-key");
  }

  @Test
  void connect_asWhomTheKeyMayNotBe_isRefusedBeforeTheLock() {
    Principal foreign = Principals.agent("other", "prober", "1");
    RawClient acme = clients.to(cluster.first(), TestKeys.ACME_AGENTS);

    End end = acme.connect(foreign).end();

    assertThat(end.code()).isEqualTo(Status.Code.PERMISSION_DENIED);
    assertThat(end.reason()).isEqualTo("IDENTITY_NOT_ALLOWED");
    assertThat(cluster.locks().isHeld("agent/other/prober/1")).isFalse();
    acme.connect(Principals.freshAgent()).ack();
  }

  /** A key that may not hold an identity does not learn whether somebody else holds it. */
  @Test
  void connect_asAForeignHolder_isNotToldThatItIsHeld() {
    Principal foreign = Principals.agent("other", "prober", "2");
    clients.to(cluster.first()).connect(foreign).ack();

    End end = clients.to(cluster.first(), TestKeys.ACME_AGENTS).connect(foreign).end();

    assertThat(end.reason()).isEqualTo("IDENTITY_NOT_ALLOWED");
    assertThat(end.metadata()).doesNotContainKey("held_since");
  }

  @Test
  void failures_fromOneAddress_areAnsweredLaterAndLaterAndThenTurnedAway() {
    RawClient guesser = clients.to(cluster.second(), "hf_guess");
    double before = Scrape.of(new Admin(cluster.second())).sum("holdfast_auth_failures_total");
    long start = System.nanoTime();

    List<RawConnection> guesses =
        Stream.generate(() -> guesser.connect(Principals.freshAgent())).limit(30).toList();

    List<End> ends = guesses.stream().map(RawConnection::end).toList();
    List<End> late = ends.stream().filter(e -> e.reason().equals("INVALID_API_KEY")).toList();
    List<End> turnedAway =
        ends.stream().filter(e -> e.reason().equals("TOO_MANY_FAILURES")).toList();
    long latest = late.stream().mapToLong(End::nanos).max().orElseThrow();
    assertThat(Duration.ofNanos(latest - start)).isGreaterThan(Duration.ofSeconds(1));
    assertThat(turnedAway).isNotEmpty().hasSize(30 - late.size());
    assertThat(turnedAway.get(0).code()).isEqualTo(Status.Code.RESOURCE_EXHAUSTED);
    assertThat(turnedAway.get(0).retryAfter()).isPresent();
    assertThat(Scrape.of(new Admin(cluster.second())).sum("holdfast_auth_failures_total"))
        .isEqualTo(before + 30);
    clients.to(cluster.second()).connect(Principals.freshAgent()).ack();
  }
}
