package dev.holdfast.gateway.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.gateway.testing.FakeClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class GatewayHealthTest {
  private final FakeClock clock = new FakeClock();
  private final GatewayHealth health = new GatewayHealth(clock.ticker());
  private final List<Boolean> heard = new ArrayList<>();
  private boolean redisAnswers;
  private boolean joined = true;

  @Test
  void new_isLiveOnly() {
    assertThat(health.started()).isFalse();
    assertThat(health.ready()).isFalse();
    assertThat(health.live()).isTrue();
  }

  @Test
  void serving_isReadyOnceRedisAnswered() {
    health.serving(this::seenWithin, () -> joined);
    assertThat(health.started()).isTrue();
    assertThat(health.ready()).isFalse();

    redisAnswers = true;

    assertThat(health.ready()).isTrue();
  }

  @Test
  void redisSilence_endsReadinessButNotLife() {
    serve();
    assertThat(health.ready()).isTrue();

    redisAnswers = false;

    assertThat(health.ready()).isFalse();
    assertThat(health.live()).isTrue();
    redisAnswers = true;
    assertThat(health.ready()).isTrue();
  }

  @Test
  void serving_butUnknownToTheOthers_isNotReady() {
    serve();
    joined = false;

    assertThat(health.ready()).isFalse();
    assertThat(health.redisAnswers()).isTrue();
  }

  @Test
  void tickSilence_endsLife() {
    clock.advance(GatewayHealth.TICK_SILENCE);
    assertThat(health.live()).isTrue();

    clock.advance(Duration.ofNanos(1));

    assertThat(health.live()).isFalse();
    health.tick(heard::add);
    assertThat(health.live()).isTrue();
  }

  @Test
  void draining_isNotReadyForEver() {
    serve();

    health.draining();

    assertThat(health.ready()).isFalse();
    assertThat(health.started()).isTrue();
    assertThat(health.live()).isTrue();
  }

  @Test
  void tick_tellsChangesOnly() {
    health.tick(heard::add);
    assertThat(heard).isEmpty();

    serve();
    health.tick(heard::add);
    health.tick(heard::add);
    health.draining();
    health.tick(heard::add);

    assertThat(heard).containsExactly(true, false);
  }

  private void serve() {
    health.serving(this::seenWithin, () -> joined);
    redisAnswers = true;
  }

  private boolean seenWithin(Duration period) {
    assertThat(period).isEqualTo(GatewayHealth.REDIS_SILENCE);
    return redisAnswers;
  }
}
