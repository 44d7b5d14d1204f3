package dev.holdfast.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class PrincipalTest {
  static Stream<Arguments> everyKind() {
    return Stream.of(
        Arguments.of(new Principal.Agent("w", "i", "s"), "agent", "agent/w/i/s"),
        Arguments.of(new Principal.UniqueTask("w", "i", "u"), "unique_task", "unique-task/w/i/u"),
        Arguments.of(new Principal.Task("w", "i"), "task", "task/w/i"),
        Arguments.of(new Principal.User("u", "w"), "user", "user/u/w"),
        Arguments.of(new Principal.WorkflowEngine(), "workflow_engine", "workflow-engine"),
        Arguments.of(new Principal.MetricsBridge(), "metrics_bridge", "metrics-bridge"),
        Arguments.of(new Principal.Orchestrator("i", "s"), "orchestrator", "orchestrator/i/s"),
        Arguments.of(new Principal.Service("i", "s"), "service", "service/i/s"));
  }

  @ParameterizedTest
  @MethodSource("everyKind")
  void principal_isShownOnTheWireAsItsKind(Principal principal, String field, String path) {
    var wire = principal.accept(new PrincipalMapper("t-1"));

    assertThat(wire.getAllFields().keySet()).singleElement().extracting("name").isEqualTo(field);
    assertThat(String.join("/", principal.path())).isEqualTo(path);
  }

  @Test
  void mapper_keepsEveryPart() {
    var mapper = new PrincipalMapper("t-1");

    assertThat(new Principal.Agent("w", "i", "s").accept(mapper).getAgent().toString())
        .contains("workspace: \"w\"", "implementation: \"i\"", "specifier: \"s\"");
    assertThat(new Principal.UniqueTask("w", "i", "u").accept(mapper).getUniqueTask().toString())
        .contains("workspace: \"w\"", "implementation: \"i\"", "unique_specifier: \"u\"");
    assertThat(new Principal.Task("w", "i").accept(mapper).getTask().toString())
        .contains("workspace: \"w\"", "implementation: \"i\"", "assigned_id: \"t-1\"");
    assertThat(new Principal.User("u", "w").accept(mapper).getUser().toString())
        .contains("user_id: \"u\"", "window_id: \"w\"");
    assertThat(new Principal.Orchestrator("i", "s").accept(mapper).getOrchestrator().toString())
        .contains("implementation: \"i\"", "specifier: \"s\"");
    assertThat(new Principal.Service("i", "s").accept(mapper).getService().toString())
        .contains("implementation: \"i\"", "specifier: \"s\"");
  }

  @Test
  void part_outOfBounds_isRefusedByName() {
    assertThatThrownBy(() -> new Principal.Agent("w", "", "s"))
        .hasMessage("implementation must not be empty");
    assertThatThrownBy(() -> new Principal.User("é".repeat(101), "w"))
        .hasMessage("userId must be at most 200 bytes of UTF-8 but is 202");
    assertThatThrownBy(() -> new Principal.Service("i", "a\tb"))
        .hasMessage("specifier must hold no control character but is 'a\\u0009b'");
    assertThat(new Principal.User("é".repeat(100), "w").path())
        .isEqualTo(List.of("user", "é".repeat(100), "w"));
  }
}
