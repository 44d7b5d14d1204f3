package dev.holdfast.systemtests;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.client.Backoff;
import dev.holdfast.client.ConnectOptions;
import dev.holdfast.client.Connection;
import dev.holdfast.client.ConnectionState;
import dev.holdfast.client.DuplicateIdentityException;
import dev.holdfast.client.FileSessionStore;
import dev.holdfast.client.HoldfastClient;
import dev.holdfast.client.Principal;
import dev.holdfast.client.Receipt;
import dev.holdfast.client.SessionStore;
import dev.holdfast.systemtests.driver.Admin;
import dev.holdfast.systemtests.driver.RecordingListener;
import dev.holdfast.systemtests.driver.Scrape;
import dev.holdfast.systemtests.harness.CutProxy;
import dev.holdfast.systemtests.harness.GatewayProcess;
import dev.holdfast.systemtests.suite.FaultyCluster;
import dev.holdfast.systemtests.suite.Suite;
import dev.holdfast.systemtests.suite.TestKeys;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.assertj.core.api.Assertions;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** The Java SDK against real gateways. */
@ExtendWith(Suite.class)
final class SdkIT {
  private static final AtomicLong NEXT = new AtomicLong();

  /** Quick first retries, so that only what the gateway asks for slows them down. */
  private static final Backoff EAGER =
      new Backoff(Duration.ofMillis(50), 1.6, Duration.ofSeconds(10), Duration.ofSeconds(30));

  private final FaultyCluster cluster;
  @AutoClose private final HoldfastClient one;
  @AutoClose private final HoldfastClient other;

  SdkIT(FaultyCluster cluster) {
    this.cluster = cluster;
    this.one = client(cluster.first().grpcPort());
    this.other = client(cluster.second().grpcPort());
  }

  @Test
  void connect_whileHeld_failsWithTheTypedException() {
    Principal agent = freshAgent();
    hold(one, agent, ConnectOptions.DEFAULT);

    Assertions.assertThatThrownBy(() -> hold(other, agent, ConnectOptions.DEFAULT))
        .isInstanceOf(CompletionException.class)
        .hasCauseInstanceOf(DuplicateIdentityException.class);
  }

  /** A second client waits for the first: it asks when it was told to, not in a hot loop. */
  @Test
  void f14_twoClientsWithOneIdentity_theSecondAsksOnlyWhenItWasTold() {
    Principal agent = freshAgent();
    Connection first = hold(one, agent, ConnectOptions.DEFAULT);
    RecordingListener waiting = new RecordingListener();
    Duration patience = Duration.ofSeconds(60);
    CompletionStage<Connection> second =
        other.connect(
            agent, ConnectOptions.builder().listener(waiting).retryOnDuplicate(patience).build());

    Awaitility.await("three retries")
        .atMost(Duration.ofSeconds(30))
        .until(() -> waiting.retries().size() >= 3);
    assertThat(waiting.retries())
        .allMatch(delay -> delay.compareTo(FaultyCluster.TTL.dividedBy(2)) > 0);
    first.close();
    assertThat(join(second).state()).isEqualTo(ConnectionState.HELD);
    assertThat(waiting.retries()).hasSizeLessThan(6);
  }

  /** Two programs with one stored session: one supersedes the other, which does not come back. */
  @Test
  void f14_twoClientsWithOneSession_doNotKickEachOtherInALoop(@TempDir Path folder) {
    Principal agent = freshAgent();
    SessionStore shared = new FileSessionStore(folder.resolve("session"));
    ConnectOptions options = ConnectOptions.builder().sessionStore(shared).build();
    double before = resumes();
    Connection first = hold(one, agent, options);
    Awaitility.await("the session on disk").until(() -> shared.load(agent).isPresent());

    Connection second = hold(other, agent, options);

    assertThat(second.resumed()).isTrue();
    assertThat(first.closed().toCompletableFuture().orTimeout(20, TimeUnit.SECONDS).join().reason())
        .isEqualTo("SUPERSEDED");
    Awaitility.await("peace")
        .during(FaultyCluster.TTL)
        .atMost(FaultyCluster.TTL.multipliedBy(2))
        .until(() -> second.state() == ConnectionState.HELD && resumes() == before + 1);
  }

  @Test
  void cutNetwork_isResumedWithAHigherToken() {
    try (CutProxy network = CutProxy.to(cluster.first().grpcPort());
        HoldfastClient client = client(network.port())) {
      RecordingListener listener = new RecordingListener();
      Connection connection =
          hold(client, freshAgent(), ConnectOptions.builder().listener(listener).build());
      long token = connection.fencingToken();

      network.cut();
      listener.awaitStates(ConnectionState.HELD, ConnectionState.SUSPECT);
      network.heal();

      Awaitility.await("held again")
          .atMost(Duration.ofSeconds(20))
          .until(() -> connection.state() == ConnectionState.HELD);
      assertThat(connection.fencingToken()).isGreaterThan(token);
    }
  }

  @Test
  void lostLock_isToldAndAcquiredAgainWithAHigherToken() {
    RecordingListener listener = new RecordingListener();
    Connection connection =
        hold(one, freshAgent(), ConnectOptions.builder().listener(listener).build());
    long token = connection.fencingToken();

    cluster.locks().delete(connection.identity());

    listener.awaitStates(ConnectionState.HELD, ConnectionState.LOST, ConnectionState.HELD);
    assertThat(connection.fencingToken()).isGreaterThan(token);
  }

  @Test
  void kick_endsTheConnectionForGood() {
    Connection connection = hold(one, freshAgent(), ConnectOptions.DEFAULT);

    new Admin(cluster.second()).delete("/api/connections/" + connection.sessionId());

    assertThat(
            connection
                .closed()
                .toCompletableFuture()
                .orTimeout(20, TimeUnit.SECONDS)
                .join()
                .reason())
        .isEqualTo("FORCE_DISCONNECT");
  }

  @Test
  void message_betweenTwoClientsOnTwoGateways_arrivesWithAReceipt() {
    RecordingListener listener = new RecordingListener();
    Connection receiver =
        hold(other, freshAgent(), ConnectOptions.builder().listener(listener).build());
    Connection sender = hold(one, freshAgent(), ConnectOptions.DEFAULT);

    Receipt receipt =
        join(sender.send(receiver.identity(), "hi".getBytes(StandardCharsets.UTF_8), "text/plain"));

    assertThat(receipt).isInstanceOf(Receipt.Accepted.class);
    Awaitility.await("the message").until(() -> listener.messages().size() == 1);
    assertThat(listener.messages().get(0).from()).isEqualTo(sender.identity());
  }

  private double resumes() {
    return resumesOf(cluster.first()) + resumesOf(cluster.second());
  }

  private static double resumesOf(GatewayProcess gateway) {
    return Scrape.of(new Admin(gateway)).sum("holdfast_connection_resumes_total");
  }

  private static HoldfastClient client(int port) {
    return HoldfastClient.builder()
        .target("127.0.0.1:" + port)
        .apiKey(TestKeys.ALL)
        .plaintext()
        .backoff(EAGER)
        .build();
  }

  private static Principal freshAgent() {
    return new Principal.Agent("acme", "sdk", Long.toString(NEXT.incrementAndGet()));
  }

  private static Connection hold(
      HoldfastClient client, Principal principal, ConnectOptions options) {
    return join(client.connect(principal, options));
  }

  private static <T> T join(CompletionStage<T> stage) {
    return stage.toCompletableFuture().orTimeout(30, TimeUnit.SECONDS).join();
  }
}
