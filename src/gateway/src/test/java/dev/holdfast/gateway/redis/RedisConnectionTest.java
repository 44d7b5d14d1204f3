package dev.holdfast.gateway.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.gateway.cluster.Self;
import dev.holdfast.gateway.config.ConfigException;
import dev.holdfast.gateway.config.GatewayConfig;
import dev.holdfast.gateway.error.GatewayError;
import dev.holdfast.gateway.error.GatewayException;
import dev.holdfast.gateway.identity.ConnectionId;
import dev.holdfast.gateway.identity.Identity;
import dev.holdfast.gateway.identity.IdentityKind;
import dev.holdfast.gateway.lock.AcquireRequest;
import dev.holdfast.gateway.lock.AcquireResult;
import dev.holdfast.gateway.lock.LockKey;
import dev.holdfast.gateway.lock.RedissonIdentityLock;
import dev.holdfast.gateway.lock.RefreshResult;
import dev.holdfast.gateway.testing.FakeClock;
import dev.holdfast.gateway.testing.OwnRedis;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What becomes of calls when a real Redis hangs, dies, comes back or was never there. */
class RedisConnectionTest {
  private static final Duration TIMEOUT = Duration.ofMillis(500);
  private static final Duration TTL = Duration.ofSeconds(30);
  private static final SecureRandom RANDOM = new SecureRandom();

  private final FakeClock pulses = new FakeClock();
  private final ConnectionId session = ConnectionId.random(RANDOM);
  private final Identity identity = Identity.of(IdentityKind.SERVICE, "acme", "mail");
  private final LockKey key = new LockKey(identity, session);
  private OwnRedis server;

  @BeforeEach
  void startRedis() throws IOException, InterruptedException {
    server = new OwnRedis();
  }

  @AfterEach
  void stopRedis() throws IOException {
    server.close();
  }

  @Test
  void hangingRedis_everyCallFailsInTimeAndWorksAgainAfterwards() throws Exception {
    try (RedisConnection redis = open(server.url())) {
      RedissonIdentityLock lock = lock(redis);
      assertThat(join(lock.acquire(request()))).isInstanceOf(AcquireResult.Acquired.class);
      server.pause();

      long startNanos = System.nanoTime();
      List<CompletionStage<?>> calls = new ArrayList<>();
      for (int i = 0; i < 600; i++) {
        calls.add(lock.acquire(request()));
      }
      calls.add(lock.refresh(List.of(key)));
      calls.add(lock.release(key));
      calls.add(lock.find(identity));
      long calledNanos = System.nanoTime();
      calls.forEach(RedisConnectionTest::assertUnavailable);
      Duration took = Duration.ofNanos(System.nanoTime() - startNanos);

      assertThat(Duration.ofNanos(calledNanos - startNanos)).isLessThan(TIMEOUT);
      assertThat(took).isBetween(TIMEOUT.minusMillis(100), TIMEOUT.multipliedBy(3));
      server.resume();
      assertThat(answered(() -> lock.refresh(List.of(key)))).hasSize(1);
      assertThat(redis.seenWithin(Duration.ofSeconds(5))).isTrue();
    }
  }

  @Test
  void f4_redisRestartedEmpty_refreshFindsTheLockGone() throws Exception {
    try (RedisConnection redis = open(server.url())) {
      RedissonIdentityLock lock = lock(redis);
      AcquireResult.Acquired held = (AcquireResult.Acquired) join(lock.acquire(request()));

      server.restart();

      assertThat(answered(() -> lock.refresh(List.of(key))))
          .containsExactly(RefreshResult.NOT_OWNER);
      AcquireResult.Acquired again = (AcquireResult.Acquired) join(lock.acquire(request()));
      assertThat(again.lock().token()).isGreaterThan(held.lock().token());
    }
  }

  @Test
  void deadRedis_callsFailInTime() {
    try (RedisConnection redis = open(server.url())) {
      RedissonIdentityLock lock = lock(redis);
      join(lock.acquire(request()));
      server.kill();

      assertUnavailable(lock.acquire(request()));
      assertUnavailable(lock.refresh(List.of(key)));
    }
  }

  @Test
  void redisNotThereAtStart_opensNotReadyAndConnectsLater() throws Exception {
    server.kill();
    try (RedisConnection redis = open(server.url())) {
      RedissonIdentityLock lock = lock(redis);
      assertUnavailable(lock.acquire(request()));
      assertThat(redis.seenWithin(Duration.ofHours(1))).isFalse();

      server.restart();
      pulses.advance(Duration.ofSeconds(1));

      assertThat(join(lock.acquire(request()))).isInstanceOf(AcquireResult.Acquired.class);
      assertThat(redis.seenWithin(Duration.ofSeconds(5))).isTrue();
    }
  }

  @Test
  void seenWithin_countsFromTheLastAnswer() {
    FakeClock clock = new FakeClock();
    try (RedisConnection redis =
        started(RedisConnection.open(settings(server.url()), pulses, clock.ticker()))) {
      clock.advance(Duration.ofSeconds(3));
      assertThat(redis.seenWithin(Duration.ofSeconds(3))).isTrue();
      assertThat(redis.seenWithin(Duration.ofSeconds(2))).isFalse();

      join(redis.run(RedisScript.load(RedisConnection.class, "ping.lua"), List.of("k"), List.of()));
      assertThat(redis.seenWithin(Duration.ZERO)).isTrue();
    }
  }

  @Test
  void configFile_isRedissonsYaml(@TempDir Path directory) throws IOException {
    Path file = directory.resolve("redis.yaml");
    Files.writeString(file, "singleServerConfig:\n  address: \"" + server.url() + "\"\n");

    try (RedisConnection redis =
        started(
            RedisConnection.open(
                new GatewayConfig.Redis(Optional.empty(), Optional.of(file), TIMEOUT),
                pulses,
                System::nanoTime))) {
      assertThat(join(lock(redis).acquire(request()))).isInstanceOf(AcquireResult.Acquired.class);
      assertThat(redis.cluster()).isFalse();
      assertThat(redis.embeddedUrl()).isEmpty();
    }
  }

  @Test
  void configFile_thatCannotBeRead_namesTheKeyAndHidesItsContents(@TempDir Path directory)
      throws IOException {
    Path file = directory.resolve("redis.yaml");
    Files.writeString(file, "singleServerConfig:\n  pasword: \"secret\"\n");

    assertThatThrownBy(
            () ->
                RedisConnection.open(
                    new GatewayConfig.Redis(Optional.empty(), Optional.of(file), TIMEOUT),
                    pulses,
                    System::nanoTime))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("holdfast.redis.config-file")
        .hasMessageContaining("redis.yaml")
        .hasMessageNotContaining("secret");
  }

  @Test
  void embedded_servesAndEndsWithTheConnection() {
    int port;
    try (RedisConnection redis =
        started(
            RedisConnection.open(
                new GatewayConfig.Redis(Optional.empty(), Optional.empty(), TIMEOUT),
                pulses,
                System::nanoTime))) {
      String url = redis.embeddedUrl().orElseThrow();
      port = Integer.parseInt(url.substring(url.lastIndexOf(':') + 1));
      assertThat(join(lock(redis).acquire(request()))).isInstanceOf(AcquireResult.Acquired.class);
    }
    try (RedisConnection late = open("redis://127.0.0.1:" + port)) {
      assertUnavailable(lock(late).acquire(request()));
    }
  }

  @Test
  void password_opensTheServerAndAWrongOneIsNeitherAcceptedNorLogged() throws Exception {
    List<String> log = new CopyOnWriteArrayList<>();
    Handler recorder = new RecordingHandler(log);
    Logger root = Logger.getLogger("");
    root.addHandler(recorder);
    try (OwnRedis locked = new OwnRedis("--requirepass", "right-secret")) {
      String address = locked.url().substring("redis://".length());
      try (RedisConnection redis = open("redis://:wrong-secret@" + address)) {
        assertUnavailable(lock(redis).find(identity));
      }
      assertThat(log).anyMatch(line -> line.contains("holdfast.redis.url"));
      try (RedisConnection redis = open("redis://:right-secret@" + address)) {
        assertThat(join(lock(redis).find(identity))).isEmpty();
      }
    } finally {
      root.removeHandler(recorder);
    }

    assertThat(log).isNotEmpty().noneMatch(line -> line.contains("-secret"));
  }

  private RedisConnection open(String url) {
    return started(RedisConnection.open(settings(url), pulses, System::nanoTime));
  }

  private RedisConnection started(RedisConnection redis) {
    pulses.advance(Duration.ZERO);
    return redis;
  }

  private static GatewayConfig.Redis settings(String url) {
    return new GatewayConfig.Redis(Optional.of(url), Optional.empty(), TIMEOUT);
  }

  private static RedissonIdentityLock lock(RedisConnection redis) {
    return new RedissonIdentityLock(
        redis, new Self("gw-a", "00000000000000aa", "1.0", Instant.EPOCH), TTL, System::nanoTime);
  }

  private AcquireRequest request() {
    return new AcquireRequest(identity, session, "key-1", Optional.empty());
  }

  /** Repeats a call while Redis is not back yet; the client's own time-out paces it. */
  private static <T> T answered(Supplier<CompletionStage<T>> call) {
    for (int attempt = 0; attempt < 20; attempt++) {
      CompletableFuture<T> answer = call.get().toCompletableFuture();
      if (answer.handle((value, failure) -> failure == null).join()) {
        return answer.join();
      }
    }
    throw new AssertionError("Redis did not come back");
  }

  private static void assertUnavailable(CompletionStage<?> stage) {
    assertThatThrownBy(() -> join(stage))
        .isInstanceOf(CompletionException.class)
        .cause()
        .isInstanceOfSatisfying(
            GatewayException.class,
            e -> {
              assertThat(e.error()).isEqualTo(GatewayError.LOCK_STORE_UNAVAILABLE);
              assertThat(e.retryAfter()).contains(Duration.ofSeconds(1));
            });
  }

  private static <T> T join(CompletionStage<T> stage) {
    return stage.toCompletableFuture().join();
  }

  private static final class RecordingHandler extends Handler {
    private final List<String> lines;

    RecordingHandler(List<String> lines) {
      this.lines = lines;
      setFormatter(new SimpleFormatter());
    }

    @Override
    public void publish(LogRecord line) {
      lines.add(getFormatter().format(line));
    }

    @Override
    public void flush() {}

    @Override
    public void close() {}
  }
}
