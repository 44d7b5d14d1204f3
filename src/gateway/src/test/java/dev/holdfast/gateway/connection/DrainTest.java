package dev.holdfast.gateway.connection;

import static dev.holdfast.gateway.connection.Gateway.agent;
import static dev.holdfast.gateway.connection.Gateway.identity;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.gateway.connection.Gateway.Client;
import dev.holdfast.gateway.error.GatewayError;
import dev.holdfast.protocol.gateway.v1.ConnectResponse;
import dev.holdfast.protocol.gateway.v1.ConnectResponse.FrameCase;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class DrainTest {
  private static final Duration DEADLINE = Duration.ofSeconds(20);

  private final Gateway gateway = new Gateway();

  @Test
  void drain_tellsEverybodyReleasesEverythingAndEndsEveryStream() {
    Client a = gateway.connect("a");
    Client b = gateway.connect("b");

    CompletableFuture<Integer> done = drain();

    assertThat(done).isCompletedWithValue(0);
    for (Client client : List.of(a, b)) {
      assertThat(client.stream().kinds()).containsExactly(FrameCase.ACK, FrameCase.GOING_AWAY);
      ConnectResponse notice = client.last();
      assertThat(notice.getGoingAway().hasRetryAfter()).isTrue();
      assertThat(notice.getGoingAway().hasEndsAt()).isTrue();
      assertThat(client.stream().reason()).isEqualTo(GatewayError.SHUTTING_DOWN);
      assertThat(client.stream().error().retryAfter()).isPresent();
    }
    assertThat(gateway.locks.holder(identity("a"))).isNull();
    assertThat(gateway.locks.holder(identity("b"))).isNull();
    assertThat(gateway.registry.active()).isZero();
  }

  @Test
  void drain_streamsEndOnlyAfterTheirRelease() {
    Client client = gateway.connect("a");
    gateway.locks.holdBackAnswers(true);

    CompletableFuture<Integer> done = drain();

    assertThat(client.stream().ended()).isFalse();
    assertThat(done).isNotDone();
    gateway.locks.answerNext();
    assertThat(client.stream().ended()).isTrue();
    assertThat(done).isCompletedWithValue(0);
  }

  @Test
  void drain_manyClients_areSentAwayForDifferentTimes() {
    List<Client> clients = new ArrayList<>();
    for (int i = 0; i < 50; i++) {
      clients.add(gateway.connect("n" + i));
    }

    assertThat(drain()).isCompleted();

    Set<Duration> delays = new HashSet<>();
    clients.forEach(client -> delays.add(client.stream().error().retryAfter().orElseThrow()));
    assertThat(delays).hasSizeGreaterThan(10);
  }

  @Test
  void open_draining_isRefusedWithRetry() {
    assertThat(drain()).isCompleted();

    Client late = gateway.open();

    assertThat(late.stream().reason()).isEqualTo(GatewayError.SHUTTING_DOWN);
    assertThat(late.stream().error().retryAfter()).isPresent();
  }

  @Test
  void drain_acquireInFlight_isWaitedForAndReleased() {
    gateway.locks.holdBackAnswers(true);
    Client client = gateway.connect("a");

    CompletableFuture<Integer> done = drain();

    assertThat(done).isNotDone();
    gateway.locks.holdBackAnswers(false);
    gateway.locks.answerNext();
    assertThat(done).isCompletedWithValue(0);
    assertThat(gateway.locks.holder(identity("a"))).isNull();
    assertThat(client.stream().sent()).isEmpty();
    assertThat(client.stream().reason()).isEqualTo(GatewayError.SHUTTING_DOWN);
  }

  @Test
  void drain_awaitingInit_isEnded() {
    Client client = gateway.open();

    assertThat(drain()).isCompletedWithValue(0);

    assertThat(client.stream().reason()).isEqualTo(GatewayError.SHUTTING_DOWN);
    client.init(agent("a"));
    assertThat(gateway.locks.holder(identity("a"))).isNull();
  }

  /** F36: Redis is gone while releasing. */
  @Test
  void f36_redisGone_everyStreamEndsAndTheDrainSaysWhatIsLeft() {
    Client a = gateway.connect("a");
    Client b = gateway.connect("b");
    gateway.locks.down(true);

    CompletableFuture<Integer> done = drain();

    assertThat(done).isCompletedWithValue(2);
    assertThat(a.stream().ended()).isTrue();
    assertThat(b.stream().ended()).isTrue();
  }

  /** F36: the deadline comes while Redis has not answered. */
  @Test
  void f36_deadline_endsEveryStreamWithoutWaitingForRedis() {
    List<Client> clients = new ArrayList<>();
    for (int i = 0; i < 300; i++) { // More than are released at a time.
      clients.add(gateway.connect("n" + i));
    }
    gateway.locks.holdBackAnswers(true);
    CompletableFuture<Integer> done = drain();

    gateway.clock.advance(DEADLINE.minusNanos(1));
    assertThat(done).isNotDone();
    gateway.clock.advance(Duration.ofNanos(1));

    assertThat(done).isCompletedWithValue(300);
    assertThat(clients).allSatisfy(client -> assertThat(client.stream().ended()).isTrue());
  }

  @Test
  void drain_twice_secondHasNothingToDo() {
    gateway.connect("a");
    assertThat(drain()).isCompleted();

    assertThat(drain()).isCompletedWithValue(0);
  }

  /** F36: opens race the drain's snapshot; nobody may stay. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10})
  void f36_opensRaceTheSnapshot_nobodyStays(int round) throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(4);
    CountDownLatch started = new CountDownLatch(3);
    List<Future<List<Client>>> openers = new ArrayList<>();
    for (int t = 0; t < 3; t++) {
      String name = "r" + round + "t" + t + "-";
      openers.add(
          threads.submit(
              () -> {
                List<Client> clients = new ArrayList<>();
                started.countDown();
                for (int i = 0; i < 200; i++) {
                  clients.add(gateway.connect(name + i));
                }
                return clients;
              }));
    }
    started.await();
    CompletableFuture<Integer> done = drain();

    for (Future<List<Client>> opener : openers) {
      for (Client client : opener.get()) {
        assertThat(client.stream().reason()).isEqualTo(GatewayError.SHUTTING_DOWN);
        assertThat(client.connection().state()).isEqualTo(ConnectionState.CLOSED);
      }
    }
    threads.shutdown();
    assertThat(done).isCompletedWithValue(0);
    assertThat(gateway.registry.active()).isZero();
    assertThat(gateway.registry.views()).isEmpty();
  }

  private CompletableFuture<Integer> drain() {
    return gateway.connections.drain().start(DEADLINE).toCompletableFuture();
  }
}
