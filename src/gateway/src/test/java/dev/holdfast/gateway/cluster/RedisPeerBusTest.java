package dev.holdfast.gateway.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.gateway.error.GatewayError;
import dev.holdfast.gateway.error.GatewayException;
import dev.holdfast.gateway.redis.RedisConnection;
import dev.holdfast.gateway.testing.FakeClock;
import dev.holdfast.gateway.testing.OwnRedis;
import dev.holdfast.gateway.testing.RedisFixture;
import dev.holdfast.protocol.peer.v1.ConnectionList;
import dev.holdfast.protocol.peer.v1.ListConnections;
import dev.holdfast.protocol.peer.v1.PeerReply;
import dev.holdfast.protocol.peer.v1.PeerRequest;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import org.junit.jupiter.api.Test;

/** The bus between two gateways over a real Redis. */
class RedisPeerBusTest {
  private static final Duration TIMEOUT = Duration.ofSeconds(5);

  private final FakeClock clock = new FakeClock();
  private final Self a = self("gw-a-" + UUID.randomUUID(), "00000000000000aa");
  private final Self b = self("gw-b-" + UUID.randomUUID(), "00000000000000bb");
  private final List<String> handled = new CopyOnWriteArrayList<>();

  @Test
  void asks_reachTheOtherGatewayInOrderAndAreAnswered() {
    try (RedisConnection redisA = RedisFixture.connect();
        RedisConnection redisB = RedisFixture.connect();
        RedisPeerBus busA = start(redisA, a);
        RedisPeerBus busB = start(redisB, b)) {
      List<CompletableFuture<PeerReply>> answers = new ArrayList<>();
      List<String> asked = new ArrayList<>();
      for (int i = 0; i < 2000; i++) {
        asked.add(Integer.toString(i));
        answers.add(ask(busA, b, Integer.toString(i)));
      }

      assertThat(answers).allMatch(answer -> answer.join().hasListConnections());
      assertThat(handled).isEqualTo(asked);
      assertThat(ask(busB, a, "back").join().hasListConnections()).isTrue();
    }
  }

  @Test
  void ask_ofAGatewayThatIsNotThere_isUnreachableAtOnce() {
    try (RedisConnection redis = RedisFixture.connect();
        RedisPeerBus bus = start(redis, a)) {
      assertUnreachable(ask(bus, b, "nobody hears this"));
    }
  }

  @Test
  void ask_ofAGatewayThatClosed_isUnreachable() {
    try (RedisConnection redisA = RedisFixture.connect();
        RedisPeerBus busA = start(redisA, a)) {
      try (RedisConnection redisB = RedisFixture.connect();
          RedisPeerBus busB = start(redisB, b)) {
        assertThat(busB).isNotNull();
        ask(busA, b, "1").join();
      }

      assertUnreachable(ask(busA, b, "2"));
    }
  }

  @Test
  void subscription_survivesARestartOfRedis() throws Exception {
    ScheduledExecutorService timers = Executors.newSingleThreadScheduledExecutor();
    try (OwnRedis server = new OwnRedis();
        RedisConnection redisA = RedisFixture.connect(server.url(), Duration.ofSeconds(1));
        RedisConnection redisB = RedisFixture.connect(server.url(), Duration.ofSeconds(1));
        RedisPeerBus busA = new RedisPeerBus(redisA, a, this::handle, timers, System::nanoTime);
        RedisPeerBus busB = new RedisPeerBus(redisB, b, this::handle, timers, System::nanoTime)) {
      CompletableFuture.allOf(
              busA.start().toCompletableFuture(), busB.start().toCompletableFuture())
          .join();
      ask(busA, b, "before").join();

      server.restart();

      assertThat(answered(busA, "after").hasListConnections()).isTrue();
      assertThat(handled).startsWith("before").endsWith("after");
    } finally {
      timers.shutdownNow();
    }
  }

  /** Asks until the other gateway is heard again; a lost question or answer takes its time-out. */
  private PeerReply answered(RedisPeerBus bus, String session) {
    for (int i = 0; i < 5000; i++) {
      CompletableFuture<PeerReply> answer = ask(bus, b, session, Duration.ofMillis(200));
      if (answer.handle((reply, failure) -> failure == null).join()) {
        return answer.join();
      }
    }
    throw new AssertionError("the other gateway was not heard again");
  }

  private RedisPeerBus start(RedisConnection redis, Self self) {
    RedisPeerBus bus = new RedisPeerBus(redis, self, this::handle, clock, clock.ticker());
    CompletionStage<Void> started = bus.start();
    clock.advance(Duration.ZERO);
    started.toCompletableFuture().join();
    return bus;
  }

  private CompletionStage<PeerReply> handle(PeerRequest request) {
    handled.add(request.getListConnections().getSessionId());
    return CompletableFuture.completedFuture(
        PeerReply.newBuilder().setListConnections(ConnectionList.getDefaultInstance()).build());
  }

  private static CompletableFuture<PeerReply> ask(RedisPeerBus bus, Self to, String session) {
    return ask(bus, to, session, TIMEOUT);
  }

  private static CompletableFuture<PeerReply> ask(
      RedisPeerBus bus, Self to, String session, Duration timeout) {
    PeerRequest request =
        PeerRequest.newBuilder()
            .setListConnections(ListConnections.newBuilder().setSessionId(session))
            .build();
    return bus.ask(to.id(), to.epoch(), request, timeout).toCompletableFuture();
  }

  private static void assertUnreachable(CompletableFuture<PeerReply> answer) {
    assertThatThrownBy(answer::join)
        .isInstanceOf(CompletionException.class)
        .cause()
        .isInstanceOfSatisfying(
            GatewayException.class,
            e -> assertThat(e.error()).isEqualTo(GatewayError.GATEWAY_UNREACHABLE));
  }

  private static Self self(String id, String epoch) {
    return new Self(id, epoch, "1.0", Instant.EPOCH);
  }
}
