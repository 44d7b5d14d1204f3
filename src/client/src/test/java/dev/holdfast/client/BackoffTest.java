package dev.holdfast.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BackoffTest {
  @Test
  void ceiling_growsToTheCap() {
    assertThat(Backoff.DEFAULT.ceiling(0)).isEqualTo(Duration.ofSeconds(1));
    assertThat(Backoff.DEFAULT.ceiling(1)).isEqualTo(Duration.ofMillis(1_600));
    assertThat(Backoff.DEFAULT.ceiling(10)).isLessThan(Duration.ofMinutes(2));
    assertThat(Backoff.DEFAULT.ceiling(11)).isEqualTo(Duration.ofMinutes(2));
    assertThat(Backoff.DEFAULT.ceiling(Integer.MAX_VALUE)).isEqualTo(Duration.ofMinutes(2));
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5})
  void jittered_isSpreadFromZeroToTheCeiling(long seed) {
    Random random = new Random(seed);
    long min = Long.MAX_VALUE;
    long max = 0;
    for (int i = 0; i < 10_000; i++) {
      long nanos = Backoff.DEFAULT.jittered(3, random).toNanos();
      min = Math.min(min, nanos);
      max = Math.max(max, nanos);
    }
    long ceiling = Backoff.DEFAULT.ceiling(3).toNanos();
    assertThat(min).isBetween(0L, ceiling / 100);
    assertThat(max).isBetween(ceiling - ceiling / 100, ceiling);
  }

  @Test
  void outOfRange_isRefusedNamingTheValue() {
    assertThatThrownBy(
            () -> new Backoff(Duration.ZERO, 2, Duration.ofSeconds(1), Duration.ofSeconds(1)))
        .hasMessage("initial must be from PT0.001S to PT10M but is PT0S");
    assertThatThrownBy(
            () ->
                new Backoff(Duration.ofSeconds(2), 2, Duration.ofSeconds(1), Duration.ofSeconds(1)))
        .hasMessage("cap must be from PT2S to PT1H but is PT1S");
    assertThatThrownBy(
            () ->
                new Backoff(
                    Duration.ofSeconds(1),
                    Double.NaN,
                    Duration.ofSeconds(1),
                    Duration.ofSeconds(1)))
        .hasMessage("multiplier must be from 1 to 10 but is NaN");
  }
}
