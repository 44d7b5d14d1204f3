package dev.holdfast.gateway.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.gateway.config.ConfigException;
import dev.holdfast.gateway.identity.Identity;
import dev.holdfast.gateway.testing.FakeClock;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ApiKeysTest {
  private static final Duration POLL = Duration.ofSeconds(5);

  private final FakeClock clock = new FakeClock();
  private final Path file;

  ApiKeysTest(@TempDir Path directory) {
    file = directory.resolve("keys");
  }

  @Test
  void none_admitsNobody() {
    assertThat(ApiKeys.none().find("anything")).isEmpty();
  }

  @Test
  void trial_mayHoldEverything() {
    String key = ApiKeys.randomKey(new SecureRandom());

    ApiKey trial = ApiKeys.trial(key).find(key).orElseThrow();

    assertThat(trial.id()).isEqualTo("trial");
    assertThat(trial.mayHold(Identity.parse("workflow-engine"))).isTrue();
    assertThat(ApiKeys.trial(key).find(key + "x")).isEmpty();
  }

  @Test
  void randomKey_isLongAndNeverTheSame() {
    SecureRandom random = new SecureRandom();

    assertThat(ApiKeys.randomKey(random)).matches("hf_[A-Za-z0-9_-]{43}");
    assertThat(ApiKeys.randomKey(random)).isNotEqualTo(ApiKeys.randomKey(random));
  }

  @Test
  void start_missingFile_isRefusedByName() {
    assertThatThrownBy(() -> KeyFileWatch.start(file, clock))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining(file.toString());
  }

  @Test
  void watch_changedFile_isTakenOver() throws IOException {
    write(line("a", "one"));
    ApiKeys keys = KeyFileWatch.start(file, clock).keys();
    write(line("b", "two"));

    assertThat(keys.find("one")).isPresent();
    clock.advance(POLL);

    assertThat(keys.find("one")).isEmpty();
    assertThat(keys.find("two")).map(ApiKey::id).contains("b");
  }

  @Test
  void watch_badOrMissingFile_keepsTheKeysUntilItIsGoodAgain() throws IOException {
    write(line("a", "one"));
    ApiKeys keys = KeyFileWatch.start(file, clock).keys();

    write("nonsense");
    clock.advance(POLL);
    assertThat(keys.find("one")).isPresent();

    Files.delete(file);
    clock.advance(POLL.multipliedBy(2));
    assertThat(keys.find("one")).isPresent();

    write(line("b", "two"));
    clock.advance(POLL);
    assertThat(keys.find("two")).isPresent();
  }

  @Test
  void close_endsTheWatch() throws IOException {
    write(line("a", "one"));
    KeyFileWatch watch = KeyFileWatch.start(file, clock);
    watch.close();
    write(line("b", "two"));

    clock.advance(POLL);

    assertThat(watch.keys().find("two")).isEmpty();
    assertThat(clock.pendingTasks()).isZero();
  }

  private void write(String text) throws IOException {
    Files.writeString(file, text);
  }

  private static String line(String id, String key) {
    return "%s sha256:%s **%n".formatted(id, KeyDigest.of(key));
  }
}
