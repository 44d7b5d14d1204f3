package dev.holdfast.gateway.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.gateway.config.ConfigException;
import dev.holdfast.gateway.redis.RedisConnection;
import dev.holdfast.gateway.testing.FakeClock;
import dev.holdfast.gateway.testing.RedisFixture;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.redisson.api.RBucket;
import org.redisson.client.codec.StringCodec;

/** The directory on a real Redis; beats come when the test moves the clock. */
class GatewayDirectoryTest {
  private static final Duration BEAT = Duration.ofMillis(1500);

  private static RedisConnection redis;

  private final FakeClock clock = new FakeClock();
  private final Self self = self("gw-" + UUID.randomUUID(), "00000000000000aa");
  private final GatewayDirectory lister = directory(self);
  private Presence presence = new Presence("host:7400 (eth0)", "SERVING", 3);

  @BeforeAll
  static void connect() {
    redis = RedisFixture.connect();
  }

  @AfterAll
  static void disconnect() {
    redis.close();
  }

  @Test
  void start_listsTheGatewayUnderALease() {
    started(self);

    assertThat(listed())
        .contains(
            new GatewayRecord(
                self.id(),
                self.epoch(),
                "host:7400 (eth0)",
                "1.0-SNAPSHOT",
                self.startedAt(),
                "SERVING",
                3));
    assertThat(key().remainTimeToLive()).isBetween(1L, GatewayDirectory.LEASE.toMillis());
  }

  @Test
  void beat_extendsTheLeaseAndRenewsTheRecord() {
    started(self);
    key().expire(Duration.ofSeconds(2));
    presence = new Presence("host:7400", "DRAINING", 1);
    clock.advance(BEAT);

    awaitListed(found -> found.isPresent() && found.get().state().equals("DRAINING"));
    assertThat(key().remainTimeToLive()).isGreaterThan(2000);
  }

  @Test
  void leave_takesItOutAtOnce() {
    GatewayDirectory directory = started(self);
    join(directory.leave());
    clock.advance(BEAT);

    assertThat(listed()).isEmpty();
  }

  @Test
  void expiredLease_isNotExtendedButRegisteredAgain() {
    started(self);
    key().delete();
    clock.advance(BEAT);
    awaitBeat();
    assertThat(key().isExists()).isFalse();
    clock.advance(BEAT);

    awaitListed(Optional::isPresent);
  }

  @Test
  void expiredLease_whoseIdWasTaken_leavesTheOther() {
    started(self);
    Self other = self(self.id(), "00000000000000bb");
    key().set(GatewayValue.write(other, presence), Duration.ofSeconds(30));
    for (int i = 0; i < 10; i++) {
      clock.advance(BEAT);
      awaitBeat();
    }

    assertThat(listed()).map(GatewayRecord::epoch).contains(other.epoch());
  }

  @Test
  void start_withTheIdOfALiveGateway_isRefused() {
    started(self);
    CompletionStage<Void> twin = directory(self(self.id(), "00000000000000bb")).start();

    for (int i = 0; i < 6; i++) {
      clock.advance(BEAT);
      awaitBeat();
    }

    assertThatThrownBy(() -> join(twin))
        .isInstanceOf(CompletionException.class)
        .cause()
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("holdfast.gateway.id is '" + self.id() + "'")
        .hasMessageContaining("host:7400");
    assertThat(listed()).map(GatewayRecord::epoch).contains(self.epoch());
  }

  @Test
  void start_afterACrash_waitsForTheOldEpochToExpire() {
    String old = GatewayValue.write(self(self.id(), "00000000000000bb"), presence);
    key().set(old, Duration.ofSeconds(30));
    CompletableFuture<Void> start = directory(self).start().toCompletableFuture();
    clock.advance(BEAT);
    awaitBeat();
    assertThat(start).isNotDone();

    key().delete();
    clock.advance(BEAT);

    start.join();
    assertThat(listed()).map(GatewayRecord::epoch).contains(self.epoch());
  }

  @Test
  void live_prunesWhatExpired() {
    started(self);
    key().delete();
    assertThat(listed()).isEmpty();

    for (int i = 0; i < 1000 && indexed(); i++) { // It is pruned after the listing was answered.
      listed();
    }
    assertThat(indexed()).isFalse();
  }

  @Test
  void live_skipsWhatItCannotRead() {
    started(self);
    key().set("2 of another version", Duration.ofSeconds(5));

    assertThat(listed()).isEmpty();
  }

  private GatewayDirectory directory(Self whose) {
    return new GatewayDirectory(redis, whose, () -> presence, clock, clock.ticker());
  }

  private GatewayDirectory started(Self whose) {
    GatewayDirectory directory = directory(whose);
    CompletionStage<Void> start = directory.start();
    clock.advance(Duration.ZERO);
    join(start);
    return directory;
  }

  private Optional<GatewayRecord> listed() {
    List<GatewayRecord> live = join(lister.live());
    return live.stream().filter(gateway -> gateway.id().equals(self.id())).findFirst();
  }

  /** Waits until beats that were begun have been answered: one of ours takes as long. */
  private void awaitBeat() {
    for (int i = 0; i < 10; i++) {
      listed();
    }
  }

  private void awaitListed(Predicate<Optional<GatewayRecord>> condition) {
    for (int i = 0; i < 1000; i++) {
      if (condition.test(listed())) {
        return;
      }
    }
    throw new AssertionError("not listed as expected: " + listed());
  }

  private boolean indexed() {
    return join(
        redis.call(client -> client.<String>getSet("holdfast:gateways").containsAsync(self.id())));
  }

  private RBucket<String> key() {
    return redis
        .connected()
        .toCompletableFuture()
        .join()
        .getBucket("holdfast:gateway:{" + self.id() + "}", StringCodec.INSTANCE);
  }

  private static Self self(String id, String epoch) {
    return new Self(id, epoch, "1.0-SNAPSHOT", Instant.ofEpochMilli(1_000_000));
  }

  private static <T> T join(CompletionStage<T> stage) {
    return stage.toCompletableFuture().join();
  }
}
