package dev.holdfast.gateway.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.gateway.testing.ReferenceTable;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

final class ConfigKeysTest {
  @ParameterizedTest
  @MethodSource("dev.holdfast.gateway.config.ConfigKeys#all")
  void everyKey_isKebabCaseUnderThePrefix(ConfigKey<?> key) {
    assertThat(key.name()).matches("holdfast(\\.[a-z]+(-[a-z]+)*)+");
    assertThat(key.meaning()).matches("[A-Z`].*\\.");
    assertThat(key.range()).isNotEmpty();
  }

  @ParameterizedTest
  @MethodSource("dev.holdfast.gateway.config.ConfigKeys#all")
  void everyDefault_isAccepted(ConfigKey<?> key) {
    assertThat(key.parse(key.defaultText())).isNotNull();
  }

  @Test
  void names_areUnique() {
    Set<String> names = new HashSet<>();
    ConfigKeys.all().forEach(key -> assertThat(names.add(key.name())).as(key.name()).isTrue());
  }

  @Test
  void reference_listsEveryKeyAsItIs() {
    ReferenceTable table = new ReferenceTable("key", "type", "default", "accepted", "meaning");
    for (ConfigKey<?> key : ConfigKeys.all()) {
      table.row(
          "`" + key.name() + "`",
          key.type(),
          key.defaultText().isEmpty() ? "none" : "`" + key.defaultText() + "`",
          key.range(),
          key.meaning());
    }

    assertThat(ReferenceTable.firstIn("configuration.md")).isEqualTo(table.lines());
  }

  @Test
  void parse_redisUrlOfAnotherScheme_hidesItsPassword() {
    assertThatThrownBy(() -> ConfigKeys.REDIS_URL.parse("redi://user:p@ss@host:1"))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("redi://***@host:1")
        .hasMessageNotContaining("p@ss");
  }
}
