package dev.holdfast.gateway.access;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.gateway.access.FailureThrottle.HeldAnswer;
import dev.holdfast.gateway.testing.FakeClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class FailureThrottleTest {
  private final FakeClock clock = new FakeClock();
  private final FailureThrottle throttle = new FailureThrottle(clock.ticker());

  @Test
  void failed_again_doublesTheDelayUpToFiveSeconds() {
    List<Long> millis = new ArrayList<>();
    for (int i = 0; i < 9; i++) {
      millis.add(fail("10.0.0.1").delay().toMillis());
    }

    assertThat(millis).containsExactly(100L, 200L, 400L, 800L, 1600L, 3200L, 5000L, 5000L, 5000L);
  }

  @Test
  void failed_otherAddress_startsAnew() {
    fail("10.0.0.1");
    fail("10.0.0.1");

    assertThat(fail("10.0.0.2").delay()).isEqualTo(Duration.ofMillis(100));
  }

  @Test
  void failed_afterAQuietMinute_startsAnew() {
    fail("10.0.0.1");
    clock.advance(Duration.ofSeconds(59));
    assertThat(fail("10.0.0.1").delay()).isEqualTo(Duration.ofMillis(200));

    clock.advance(Duration.ofSeconds(60));

    assertThat(fail("10.0.0.1").delay()).isEqualTo(Duration.ofMillis(100));
  }

  @Test
  void failed_whileSixteenArePending_isAnsweredAtOnce() {
    List<HeldAnswer> held = new ArrayList<>();
    for (int i = 0; i < 16; i++) {
      held.add(fail("10.0.0.1"));
    }

    assertThat(throttle.failed("10.0.0.1")).isEmpty();
    assertThat(throttle.failed("10.0.0.2")).isPresent();
    held.get(0).given().run();
    assertThat(throttle.failed("10.0.0.1")).isPresent();
    assertThat(throttle.failed("10.0.0.1")).isEmpty();
  }

  private HeldAnswer fail(String address) {
    return throttle.failed(address).orElseThrow();
  }
}
