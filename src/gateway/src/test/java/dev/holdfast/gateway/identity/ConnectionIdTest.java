package dev.holdfast.gateway.identity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.security.SecureRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class ConnectionIdTest {
  @Test
  void random_canBeReadAndIsNeverTheSame() {
    SecureRandom random = new SecureRandom();
    ConnectionId id = ConnectionId.random(random);

    assertThat(ConnectionId.parse(id.toString())).contains(id);
    assertThat(ConnectionId.random(random)).isNotEqualTo(id);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "conn-",
        "conn-0123456789abcdef0123456789abcde",
        "conn-0123456789abcdef0123456789abcdef0",
        "conn-0123456789ABCDEF0123456789ABCDEF",
        "sess-0123456789abcdef0123456789abcdef",
      })
  void parse_anythingElse_isEmpty(String text) {
    assertThat(ConnectionId.parse(text)).isEmpty();
    assertThatThrownBy(() -> new ConnectionId(text)).isInstanceOf(IllegalArgumentException.class);
  }
}
