package dev.holdfast.gateway.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.gateway.config.ConfigException;
import dev.holdfast.gateway.identity.Identity;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class KeyFileTest {
  private static final String HASH = KeyDigest.of("secret").toString();
  private static final String OTHER = KeyDigest.of("other").toString();

  @Test
  void parse_commentsAndBlankLines_areSkipped() {
    Map<KeyDigest, ApiKey> keys =
        KeyFile.parse("keys", "# who\n\n  builder sha256:" + HASH + "\tagent/acme/**,user/*/*  \n");

    assertThat(keys).containsOnlyKeys(KeyDigest.of("secret"));
    ApiKey key = List.copyOf(keys.values()).get(0);
    assertThat(key.id()).isEqualTo("builder");
    assertThat(key.mayHold(Identity.parse("agent/acme/a/b"))).isTrue();
    assertThat(key.mayHold(Identity.parse("user/u/w"))).isTrue();
    assertThat(key.mayHold(Identity.parse("agent/other/a/b"))).isFalse();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "builder sha256:HASH | it has 2 fields instead of 3",
        "builder sha256:HASH a/b c | it has 4 fields instead of 3",
        "bu/lder sha256:HASH ** | the id must be",
        "builder HASH ** | does not start with sha256:",
        "builder sha256:abc ** | 3 characters instead of 64",
        "builder sha256:ZASH ** | other characters than 0-9 and a-f",
        "builder sha256:HASH agent//x | segment '' is not allowed",
        "builder sha256:HASH agent/**,  | segment '' is not allowed",
      })
  void parse_wrongLine_namesFileLineAndMistake(String line, String mistake) {
    String text = "#\n" + line.replace("ZASH", "z".repeat(64)).replace("HASH", HASH) + "\n";

    assertThatThrownBy(() -> KeyFile.parse("etc/keys", text))
        .isInstanceOf(ConfigException.class)
        .hasMessageStartingWith("etc/keys line 2: ")
        .hasMessageContaining(mistake);
  }

  @Test
  void parse_idTwice_isRefused() {
    String text = "a sha256:" + HASH + " **\na sha256:" + OTHER + " **";

    assertThatThrownBy(() -> KeyFile.parse("keys", text))
        .hasMessageContaining("keys line 2: the id 'a' stands in the file twice");
  }

  @Test
  void parse_hashTwice_isRefused() {
    String text = "a sha256:" + HASH + " **\nb sha256:" + HASH + " **";

    assertThatThrownBy(() -> KeyFile.parse("keys", text))
        .hasMessageContaining("keys line 2: another id has the same hash");
  }

  @Test
  void parse_keyInsteadOfHash_isNotQuoted() {
    assertThatThrownBy(() -> KeyFile.parse("keys", "a hf_topsecret **"))
        .hasMessageNotContaining("topsecret");
  }
}
