package dev.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.rpc.Code;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(60)
class ConnectCommandTest {
  private static final String AGENT = "agent/acme/builder/7";

  @Test
  void connect_saysWhatIsHeld_sendsLines_printsReceiptsAndMessages() {
    try (TestGateway gateway = TestGateway.acknowledging()) {
      CommandRun run =
          connect(
              gateway, "service/mailer/1 hello there\n\nservice/nobody/1 x\nword\n", "--until-eof");

      assertThat(run.exitCode()).isEqualTo(0);
      assertThat(run.out().lines().findFirst())
          .contains(
              "connected session=conn-1 token=41 resumed=false identity=agent/acme/builder/7"
                  + " gateway=gw-1");
      assertThat(run.out())
          .contains("message from=service/mailer/1 id=echo token=7 text=\"hello there\\u001b[2J\"")
          .containsPattern("receipt to=service/mailer/1 id=\\S+ accepted=true")
          .containsPattern(
              "receipt to=service/nobody/1 id=\\S+ accepted=false reason=NOT_CONNECTED"
                  + " detail=nobody")
          .endsWith("closed reason=CLOSED_BY_CLIENT" + System.lineSeparator());
      assertThat(run.err()).contains("a line is IDENTITY TEXT, but this one is 'word'");
    }
  }

  @Test
  void connect_json_isOneObjectPerLine() {
    try (TestGateway gateway = TestGateway.acknowledging()) {
      CommandRun run = connect(gateway, "", "--until-eof", "--output=json");

      assertThat(run.out().lines())
          .contains(
              "{\"event\":\"connected\",\"session\":\"conn-1\",\"token\":41,"
                  + "\"resumed\":false,\"identity\":\"agent/acme/builder/7\","
                  + "\"gateway\":\"gw-1\"}",
              "{\"event\":\"closed\",\"reason\":\"CLOSED_BY_CLIENT\"}");
    }
  }

  @Test
  void connect_sessionFile_resumesAtTheNextStart(@TempDir Path folder) {
    Path file = folder.resolve("agent.session");
    try (TestGateway gateway = TestGateway.acknowledging()) {
      CommandRun first = connect(gateway, "", "--until-eof", "--session-file=" + file);
      CommandRun second = connect(gateway, "", "--until-eof", "--session-file=" + file);

      assertThat(first.out()).contains("resumed=false");
      assertThat(second.out()).contains("session=conn-2 token=42 resumed=true");
      assertThat(gateway.inits.get(1).getResumeSessionId()).isEqualTo("conn-1");
    }
  }

  @ParameterizedTest
  @CsvSource({
    "ALREADY_EXISTS, DUPLICATE_IDENTITY, 3",
    "UNAUTHENTICATED, INVALID_API_KEY, 4",
    "PERMISSION_DENIED, IDENTITY_NOT_ALLOWED, 4",
    "UNAVAILABLE, SHUTTING_DOWN, 5",
    "INVALID_ARGUMENT, INVALID_IDENTITY, 1",
  })
  void connect_refused_saysWhyAndWhenToRetry(Code code, String reason, int exitCode) {
    try (TestGateway gateway = TestGateway.refusing(code, reason)) {
      CommandRun run = connect(gateway, "");

      assertThat(run.out().strip())
          .isEqualTo(
              "refused reason="
                  + reason
                  + " detail=because held-since=2026-11-30T10:00:00Z retry-after=12000ms");
      assertThat(run.exitCode()).isEqualTo(exitCode);
    }
  }

  @ParameterizedTest
  @CsvSource({"FORCE_DISCONNECT, 6", "SUPERSEDED, 6"})
  void connect_endedByForce_saysSo(String reason, int exitCode) {
    try (TestGateway gateway = TestGateway.acknowledging()) {
      CommandRun run = connect(gateway, "END " + reason + "\n");

      assertThat(run.out())
          .contains("state from=HELD to=CLOSED reason=" + reason + " detail=because")
          .contains("closed reason=" + reason);
      assertThat(run.exitCode()).isEqualTo(exitCode);
    }
  }

  @Test
  void connect_lockLostWithoutReconnect_is6() {
    try (TestGateway gateway = TestGateway.acknowledging()) {
      CommandRun run = connect(gateway, "END LOCK_LOST\n", "--no-reconnect");

      assertThat(run.out()).contains("state from=HELD to=LOST reason=LOCK_LOST");
      assertThat(run.exitCode()).isEqualTo(6);
    }
  }

  @Test
  void connect_nobodyListens_is5() {
    TestGateway gone = TestGateway.acknowledging();
    gone.close();

    CommandRun run = connect(gone, "");

    assertThat(run.out()).startsWith("refused reason=UNAVAILABLE");
    assertThat(run.exitCode()).isEqualTo(5);
  }

  @Test
  void connect_keyFromAFile(@TempDir Path folder) throws IOException {
    Path key = Files.writeString(folder.resolve("key"), "hf_1\n");
    try (TestGateway gateway = TestGateway.acknowledging()) {
      CommandRun run =
          CommandRun.of(
              "connect",
              "--plaintext",
              "--target=" + gateway.target(),
              "--api-key-file=" + key,
              "--until-eof",
              AGENT);

      assertThat(run.exitCode()).isEqualTo(0);
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "pilot/a/b | 'pilot' is no kind of principal; use one of agent, metrics-bridge",
        "agent/a/b | 'agent' has 3 parts, but 'agent/a/b' gives it 2",
        "agent/a//b | implementation must not be empty",
        "agent/a/%4/b | '%4' holds a percent sign without two hexadecimal digits",
        "agent/a/%0A/b | implementation must hold no control character",
      })
  void connect_badPrincipal_isAUsageError(String principal, String message) {
    CommandRun run = CommandRun.of("connect", "--target=localhost:1", "--api-key=k", principal);

    assertThat(run.err()).contains(message);
    assertThat(run.exitCode()).isEqualTo(2);
  }

  @Test
  void connect_badOptions_areUsageErrors() {
    assertThat(CommandRun.of("connect", "--target=h:1", "--api-key=a b", AGENT))
        .satisfies(run -> assertThat(run.err()).contains("apiKey must be"))
        .extracting(CommandRun::exitCode)
        .isEqualTo(2);
    assertThat(CommandRun.of("connect", "--retry-on-duplicate=soon", AGENT).err())
        .contains("'soon' is no time; write it like 500ms, 45s, 5m or 1h");
    assertThat(CommandRun.of("connect", "--connect-timeout=0s", AGENT).err())
        .contains("connectTimeout must be from");
    assertThat(
            CommandRun.of("connect", "--target=h:1", "--api-key=k", "--tls-cert=c.pem", AGENT)
                .err())
        .contains("--tls-cert and --tls-key go together");
  }

  @ParameterizedTest
  @CsvSource({
    "unique-task/a/b/c, unique_task",
    "task/a/b, task",
    "user/a/b, user",
    "workflow-engine, workflow_engine",
    "metrics-bridge, metrics_bridge",
    "orchestrator/a/b, orchestrator",
    "service/a%2Fb/%C3%A9, service",
  })
  void connect_everyKind(String principal, String field) {
    try (TestGateway gateway = TestGateway.acknowledging()) {
      CommandRun run = connect(gateway, principal, "", new String[] {"--until-eof"});

      assertThat(run.exitCode()).isEqualTo(0);
      assertThat(gateway.inits.get(0).getPrincipal().getAllFields().keySet())
          .singleElement()
          .extracting("name")
          .isEqualTo(field);
      if (field.equals("service")) {
        var service = gateway.inits.get(0).getPrincipal().getService();
        assertThat(service.getImplementation()).isEqualTo("a/b");
        assertThat(service.getSpecifier()).isEqualTo("é");
      }
    }
  }

  private static CommandRun connect(TestGateway gateway, String input, String... more) {
    return connect(gateway, AGENT, input, more);
  }

  private static CommandRun connect(
      TestGateway gateway, String principal, String input, String[] more) {
    String[] args = new String[more.length + 5];
    args[0] = "connect";
    args[1] = "--plaintext";
    args[2] = "--target=" + gateway.target();
    args[3] = "--api-key=k";
    args[4] = principal;
    System.arraycopy(more, 0, args, 5, more.length);
    return CommandRun.withInput(input, args);
  }
}
