package dev.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class KeysCommandTest {
  private static final Pattern OUTPUT =
      Pattern.compile(
          "key   (hf_[A-Za-z0-9_-]{43})\\Rline  (\\S+) sha256:([0-9a-f]{64}) (\\S+)\\R");

  @Test
  void create_printsTheKeyAndTheLineWithItsHash() throws Exception {
    CommandRun run = CommandRun.of("keys", "create", "ci.1", "agent/acme/w-*/*", "service/**");

    Matcher output = OUTPUT.matcher(run.out());
    assertThat(output.matches()).as(run.out()).isTrue();
    byte[] hash =
        MessageDigest.getInstance("SHA-256")
            .digest(output.group(1).getBytes(StandardCharsets.UTF_8));
    assertThat(output.group(2)).isEqualTo("ci.1");
    assertThat(output.group(3)).isEqualTo(HexFormat.of().formatHex(hash));
    assertThat(output.group(4)).isEqualTo("agent/acme/w-*/*,service/**");
  }

  @Test
  void create_makesAnotherKeyEveryTime() {
    assertThat(CommandRun.of("keys", "create", "a", "**").out())
        .isNotEqualTo(CommandRun.of("keys", "create", "a", "**").out());
  }

  @Test
  void create_json() {
    assertThat(CommandRun.of("keys", "create", "a", "**", "--output=json").out())
        .matches("\\{\"id\":\"a\",\"key\":\"hf_\\S{43}\",\"line\":\"a sha256:\\S{64} \\*\\*\"}\\R");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "a//b", "a b", "a,b", "**/a", "a*b", "a/***"})
  void create_badPattern_isAUsageError(String pattern) {
    CommandRun run = CommandRun.of("keys", "create", "a", pattern);

    assertThat(run.err()).contains("'" + pattern + "' is no identity pattern");
    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.out()).isEmpty();
  }

  @Test
  void create_badIdOrNoPattern_isAUsageError() {
    assertThat(CommandRun.of("keys", "create", "a:b", "**").exitCode()).isEqualTo(2);
    assertThat(CommandRun.of("keys", "create", "a").exitCode()).isEqualTo(2);
  }
}
