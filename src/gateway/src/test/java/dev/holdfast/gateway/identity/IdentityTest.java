package dev.holdfast.gateway.identity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.gateway.error.GatewayError;
import dev.holdfast.gateway.error.GatewayException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

final class IdentityTest {
  private static final String[] ODD_CHARACTERS = {
    "a", "Z", "0", ".", "_", "-", "/", "%", "{", "}", ":", "*", " ", "2", "F", "é", "語", "😀", "\\"
  };

  @Test
  void of_plainParts_isReadable() {
    assertThat(agent("acme", "builder", "7")).hasToString("agent/acme/builder/7");
    assertThat(Identity.of(IdentityKind.WORKFLOW_ENGINE)).hasToString("workflow-engine");
  }

  @Test
  void of_oddCharacters_areEncodedAsUtf8() {
    assertThat(agent("a/b", "{c}", "é%")).hasToString("agent/a%2Fb/%7Bc%7D/%C3%A9%25");
  }

  @ParameterizedTest
  @EnumSource
  void parse_everyKind_readsWhatToStringWrote(IdentityKind kind) {
    String[] parts = kind.partNames().toArray(new String[0]);
    Identity identity = Identity.of(kind, parts);

    Identity read = Identity.parse(identity.toString());

    assertThat(read).isEqualTo(identity);
    assertThat(read.kind()).isEqualTo(kind);
    assertThat(read.parts()).containsExactly(parts);
  }

  /** F38: whatever characters the parts hold, different parts never share a string. */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5})
  void toString_ofRandomParts_neverCollides(long seed) {
    Random random = new Random(seed);
    Map<String, List<String>> seen = new HashMap<>();
    for (int i = 0; i < 5_000; i++) {
      List<String> parts = List.of(part(random), part(random), part(random));
      Identity identity = agent(parts.get(0), parts.get(1), parts.get(2));

      assertThat(seen.getOrDefault(identity.toString(), parts))
          .as("seed %d", seed)
          .isEqualTo(parts);
      assertThat(Identity.parse(identity.toString()).parts()).isEqualTo(parts);
      assertThat(identity.toString()).matches("[A-Za-z0-9._%/-]+");
      seen.put(identity.toString(), parts);
    }
  }

  @Test
  void of_kindsWithEqualParts_differ() {
    assertThat(Identity.of(IdentityKind.TASK, "a", "b", "c"))
        .isNotEqualTo(Identity.of(IdentityKind.UNIQUE_TASK, "a", "b", "c"))
        .isNotEqualTo(agent("a", "b", "c"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "agent",
        "agent/a/b",
        "agent/a/b/c/d",
        "agent/a//c",
        "Agent/a/b/c",
        "agent/a/b/c/",
        "agent/a/b/%",
        "agent/a/b/%4",
        "agent/a/b/%zz",
        "agent/a/b/%41",
        "agent/a/b/%c3%a9",
        "agent/a/b/é",
        "agent/a/b/ ",
        "agent/a/b/%FF",
        "agent/a/b/%00",
        "robot/a",
        "workflow-engine/x",
      })
  void parse_whatNobodyWrote_isRefused(String text) {
    assertThatThrownBy(() -> Identity.parse(text))
        .isInstanceOfSatisfying(
            GatewayException.class,
            e -> assertThat(e.error()).isEqualTo(GatewayError.INVALID_IDENTITY));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "a\nb", "a\u0000", "a\u0085", "\ud800", "\udc00x"})
  void of_emptyControlOrUnpaired_isRefused(String part) {
    assertThatThrownBy(() -> agent("acme", part, "7"))
        .isInstanceOf(GatewayException.class)
        .hasMessageContaining("implementation");
  }

  @Test
  void of_longestPart_isAcceptedAndOneByteMoreIsNot() {
    assertThat(agent("é".repeat(100), "b", "c").parts().get(0)).hasSize(100);
    assertThatThrownBy(() -> agent("é".repeat(100) + "a", "b", "c"))
        .hasMessageContaining("201 bytes");
  }

  @Test
  void of_wrongNumberOfParts_isRefused() {
    assertThatThrownBy(() -> Identity.of(IdentityKind.USER, "u"))
        .isInstanceOf(GatewayException.class)
        .hasMessageContaining("2 parts");
  }

  private static Identity agent(String workspace, String implementation, String specifier) {
    return Identity.of(IdentityKind.AGENT, workspace, implementation, specifier);
  }

  private static String part(Random random) {
    StringBuilder out = new StringBuilder();
    for (int length = 1 + random.nextInt(3); length > 0; length--) {
      out.append(ODD_CHARACTERS[random.nextInt(ODD_CHARACTERS.length)]);
    }
    return out.toString();
  }
}
