package dev.holdfast.gateway.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.gateway.config.ConfigException;
import org.junit.jupiter.api.Test;

class RedisUrlTest {
  @Test
  void parse_everyPart() {
    RedisUrl url = RedisUrl.parse("rediss://gate:p%40ss+1@redis.example:7000/3");

    assertThat(url.address()).isEqualTo("rediss://redis.example:7000");
    assertThat(url.user()).contains("gate");
    assertThat(url.password()).contains("p@ss+1");
    assertThat(url.database()).isEqualTo(3);
  }

  @Test
  void parse_hostOnly_hasDefaults() {
    RedisUrl url = RedisUrl.parse("redis://localhost");

    assertThat(url.address()).isEqualTo("redis://localhost:6379");
    assertThat(url.user()).isEmpty();
    assertThat(url.password()).isEmpty();
    assertThat(url.database()).isZero();
  }

  @Test
  void parse_passwordWithoutUser() {
    RedisUrl url = RedisUrl.parse("redis://:secret@[::1]:6380");

    assertThat(url.user()).isEmpty();
    assertThat(url.password()).contains("secret");
    assertThat(url.address()).isEqualTo("redis://[::1]:6380");
  }

  @Test
  void toString_masksThePassword() {
    assertThat(RedisUrl.parse("redis://gate:secret@localhost/1"))
        .hasToString("redis://gate:***@localhost:6379/1");
  }

  @Test
  void parse_malformed_namesTheKeyAndHidesThePassword() {
    for (String wrong :
        new String[] {"redis://u:secret@ho st", "redis://u:secret@", "redis://u:secret@h/x"}) {
      assertThatThrownBy(() -> RedisUrl.parse(wrong))
          .isInstanceOf(ConfigException.class)
          .hasMessageContaining("holdfast.redis.url")
          .hasMessageNotContaining("secret");
    }
  }
}
