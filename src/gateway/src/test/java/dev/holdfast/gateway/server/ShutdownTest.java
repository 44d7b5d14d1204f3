package dev.holdfast.gateway.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.gateway.testing.FakeClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class ShutdownTest {
  private final FakeClock clock = new FakeClock();
  private final Shutdown shutdown = new Shutdown(clock.ticker());
  private final List<String> ran = new ArrayList<>();

  @Test
  void run_stepsAddedLast_runFirstAndOnce() {
    shutdown.first("redis", remaining -> ran.add("redis"));
    shutdown.first("port", remaining -> ran.add("port"));

    assertThat(shutdown.run(Duration.ofSeconds(1))).isZero();
    assertThat(shutdown.run(Duration.ofSeconds(1))).isZero();

    assertThat(ran).containsExactly("port", "redis");
  }

  @Test
  void run_timeSpent_isNoLongerLeftForLaterSteps() {
    shutdown.first("last", remaining -> ran.add(remaining.toString()));
    shutdown.first("slow", remaining -> clock.advance(Duration.ofSeconds(9)));
    shutdown.first("first", remaining -> clock.advance(Duration.ofSeconds(3)));

    int unused = shutdown.run(Duration.ofSeconds(20));

    assertThat(ran).containsExactly("PT8S");
  }

  @Test
  void run_pastTheDeadline_stillRunsEveryStep() {
    shutdown.first("last", remaining -> ran.add(remaining.toString()));
    shutdown.first("slow", remaining -> clock.advance(Duration.ofMinutes(1)));

    int unused = shutdown.run(Duration.ofSeconds(20));

    assertThat(ran).containsExactly("PT0S");
  }

  @Test
  void run_failingStep_doesNotKeepTheNextFromRunning() {
    shutdown.first("last", remaining -> ran.add("last"));
    shutdown.first(
        "broken",
        remaining -> {
          throw new IllegalStateException("Redis is already gone");
        });

    assertThat(shutdown.run(Duration.ofSeconds(1))).isEqualTo(1);

    assertThat(ran).containsExactly("last");
  }
}
