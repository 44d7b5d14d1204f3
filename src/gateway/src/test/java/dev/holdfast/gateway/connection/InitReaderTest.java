package dev.holdfast.gateway.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.holdfast.gateway.error.GatewayError;
import dev.holdfast.gateway.error.GatewayException;
import dev.holdfast.protocol.gateway.v1.InitConnection;
import dev.holdfast.protocol.gateway.v1.MetricsBridge;
import dev.holdfast.protocol.gateway.v1.Orchestrator;
import dev.holdfast.protocol.gateway.v1.Principal;
import dev.holdfast.protocol.gateway.v1.Service;
import dev.holdfast.protocol.gateway.v1.Task;
import dev.holdfast.protocol.gateway.v1.UniqueTask;
import dev.holdfast.protocol.gateway.v1.User;
import dev.holdfast.protocol.gateway.v1.WorkflowEngine;
import java.security.SecureRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

final class InitReaderTest {
  private static final String SESSION = "conn-" + "0".repeat(32);

  private final InitReader reader = new InitReader(new SecureRandom());

  static Stream<Arguments> principals() {
    return Stream.of(
        Arguments.of(Gateway.agent("7").getPrincipal(), "agent/acme/builder/7"),
        Arguments.of(
            Principal.newBuilder()
                .setUniqueTask(
                    UniqueTask.newBuilder()
                        .setWorkspace("w")
                        .setImplementation("i")
                        .setUniqueSpecifier("u"))
                .build(),
            "unique-task/w/i/u"),
        Arguments.of(
            Principal.newBuilder()
                .setUser(User.newBuilder().setUserId("ann").setWindowId("1"))
                .build(),
            "user/ann/1"),
        Arguments.of(
            Principal.newBuilder().setWorkflowEngine(WorkflowEngine.getDefaultInstance()).build(),
            "workflow-engine"),
        Arguments.of(
            Principal.newBuilder().setMetricsBridge(MetricsBridge.getDefaultInstance()).build(),
            "metrics-bridge"),
        Arguments.of(
            Principal.newBuilder()
                .setOrchestrator(Orchestrator.newBuilder().setImplementation("o").setSpecifier("s"))
                .build(),
            "orchestrator/o/s"),
        Arguments.of(
            Principal.newBuilder()
                .setService(Service.newBuilder().setImplementation("o").setSpecifier("s"))
                .build(),
            "service/o/s"));
  }

  @ParameterizedTest
  @MethodSource("principals")
  void read_everyKind_givesItsIdentity(Principal principal, String identity) {
    InitRequest request = reader.read(InitConnection.newBuilder().setPrincipal(principal).build());

    assertThat(request.identity()).hasToString(identity);
    assertThat(request.assignedId()).isEmpty();
    assertThat(request.resume()).isEmpty();
  }

  @Test
  void read_creditBeyondTheSignedRange_isUnsigned() {
    assertThat(reader.read(Gateway.agent("a").setMessageCredit(-1).build()).messageCredit())
        .isEqualTo(4_294_967_295L);
  }

  @Test
  void read_wrongFields_areRefused() {
    refuses(InitConnection.getDefaultInstance(), GatewayError.INVALID_IDENTITY);
    refuses(Gateway.agent("").build(), GatewayError.INVALID_IDENTITY);
    refuses(Gateway.agent("a").setResumeSessionId("x").build(), GatewayError.INVALID_INIT);
    refuses(Gateway.agent("a").setClientAgent("é".repeat(51)).build(), GatewayError.INVALID_INIT);
    refuses(Gateway.agent("a").setClientAgent("a\nb").build(), GatewayError.INVALID_INIT);
    refuses(task("a".repeat(32)).build(), GatewayError.INVALID_INIT);
    refuses(task("mine").setResumeSessionId(SESSION).build(), GatewayError.INVALID_INIT);
  }

  @Test
  void read_assignedIdWithResume_isKept() {
    InitRequest request = reader.read(task("a".repeat(32)).setResumeSessionId(SESSION).build());

    assertThat(request.identity()).hasToString("task/w/i/" + "a".repeat(32));
    assertThat(request.resume()).isPresent();
  }

  private void refuses(InitConnection init, GatewayError reason) {
    assertThatExceptionOfType(GatewayException.class)
        .isThrownBy(() -> reader.read(init))
        .extracting(GatewayException::error)
        .isEqualTo(reason);
  }

  private static InitConnection.Builder task(String assignedId) {
    return InitConnection.newBuilder()
        .setPrincipal(
            Principal.newBuilder()
                .setTask(
                    Task.newBuilder()
                        .setWorkspace("w")
                        .setImplementation("i")
                        .setAssignedId(assignedId)));
  }
}
