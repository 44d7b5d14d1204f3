package dev.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AdminCommandsTest {
  private static final String ONE =
      """
      {"session_id": "conn-1", "identity": "agent/acme/builder/7", "kind": "agent",
       "state": "HELD", "fencing_token": 1764547200000001, "gateway_id": "gw-1",
       "connected_at": "2026-11-30T10:00:00Z", "resumed": false, "api_key_id": "ci",
       "peer": "127.0.0.1:5000", "client_agent": "", "queued_messages": 0}""";

  private record Reply(int status, String type, String body) {}

  private final HttpServer server;
  private final List<String> requests = new ArrayList<>();
  private Reply reply = new Reply(200, "application/json", "{}");

  AdminCommandsTest() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
  }

  @BeforeEach
  void setUp() {
    server.createContext("/", this::answer);
    server.start();
  }

  @AfterEach
  void tearDown() {
    server.stop(0);
  }

  @Test
  void ls_printsATable_andWarnsOfGatewaysThatDidNotAnswer() {
    reply(200, "{\"connections\": [" + ONE + "], \"unreachable_gateways\": [\"gw-2\"]}");

    CommandRun run = admin("connections", "ls");

    assertThat(run.out().lines())
        .containsExactly(
            "SESSION  IDENTITY              STATE  TOKEN             GATEWAY  CONNECTED"
                + "             QUEUED",
            "conn-1   agent/acme/builder/7  HELD   1764547200000001  gw-1     2026-11-30T10:00:00Z"
                + "  0");
    assertThat(run.err())
        .isEqualToIgnoringNewLines("gateway gw-2 did not answer: the list lacks its connections");
    assertThat(run.exitCode()).isZero();
    assertThat(requests).containsExactly("GET /api/connections admin:secret");
  }

  @Test
  void ls_json_printsTheAnswer() {
    reply(200, "{\"connections\": [], \"unreachable_gateways\": []}");

    assertThat(admin("connections", "ls", "--output=json").out())
        .containsIgnoringWhitespaces("{\"connections\":[],\"unreachable_gateways\":[]}");
  }

  @Test
  void show_printsEveryMember() {
    reply(200, ONE);

    CommandRun run = admin("connections", "show", "conn-1");

    assertThat(run.out().lines())
        .contains(
            "peer             127.0.0.1:5000", "client_agent     -", "resumed          false");
    assertThat(requests).containsExactly("GET /api/connections/conn-1 admin:secret");
  }

  @Test
  void show_json() {
    reply(200, ONE);

    assertThat(admin("connections", "show", "conn-1", "--output=json").out())
        .containsIgnoringWhitespaces(ONE);
  }

  @Test
  void kick_deletes_andEscapesTheId() {
    reply = new Reply(204, "", "");

    CommandRun run = admin("connections", "kick", "../x y");

    assertThat(run.out().strip()).isEqualTo("disconnected session=\"../x y\"");
    assertThat(run.exitCode()).isZero();
    assertThat(requests).containsExactly("DELETE /api/connections/..%2Fx%20y admin:secret");
  }

  @Test
  void gateways_marksTheOneThatAnswered() {
    reply(
        200,
        """
        {"gateways": [
          {"gateway_id": "gw-1", "epoch": "e1", "grpc_address": "10.0.0.1:7400",
           "version": "1.0.0", "started_at": "2026-11-30T10:00:00Z", "state": "SERVING",
           "connections": 3, "self": true},
          {"gateway_id": "gw-2", "state": "DRAINING", "connections": 0, "self": false}]}""");

    assertThat(admin("gateways").out().lines())
        .containsExactly(
            "GATEWAY  STATE     CONNECTIONS  GRPC           VERSION  STARTED               EPOCH",
            "gw-1 *   SERVING   3            10.0.0.1:7400  1.0.0    2026-11-30T10:00:00Z  e1",
            "gw-2     DRAINING  0            -              -        -                     -");
  }

  @ParameterizedTest
  @CsvSource({"401, 4", "403, 4", "404, 1", "409, 1", "503, 5", "504, 5"})
  void problem_isPrinted_andGivesTheExitCode(int status, int exitCode) {
    reply =
        new Reply(
            status,
            "application/problem+json",
            "{\"type\": \"about:blank\", \"title\": \"T\", \"status\": 0, \"reason\":"
                + " \"CONNECTION_NOT_FOUND\", \"detail\": \"no conn-9\", \"code\": 5004}");

    CommandRun run = admin("connections", "show", "conn-9");

    assertThat(run.err().strip())
        .isEqualTo("the gateway answered " + status + " CONNECTION_NOT_FOUND: no conn-9");
    assertThat(run.exitCode()).isEqualTo(exitCode);
  }

  @Test
  void notJson_isAFailure() {
    reply = new Reply(200, "text/html", "<html>");

    CommandRun run = admin("gateways");

    assertThat(run.err()).contains("not a JSON object");
    assertThat(run.exitCode()).isEqualTo(1);
  }

  @Test
  void nobodyListens_is5() {
    String url = url();
    server.stop(0);

    CommandRun run =
        CommandRun.of("gateways", "--admin-url=" + url, "--user=admin", "--password=secret");

    assertThat(run.err()).startsWith("no answer from " + url);
    assertThat(run.exitCode()).isEqualTo(5);
  }

  @Test
  void password_fromAFile(@TempDir Path folder) throws IOException {
    Path file = Files.writeString(folder.resolve("password"), "secret\n");
    reply(200, "{\"gateways\": []}");

    CommandRun run =
        CommandRun.of(
            "gateways", "--admin-url=" + url(), "--user=admin", "--password-file=" + file);

    assertThat(run.exitCode()).isZero();
    assertThat(requests).containsExactly("GET /api/gateways admin:secret");
  }

  @Test
  void badCommandLines_areUsageErrors() {
    for (String[] args :
        List.of(
            new String[] {},
            new String[] {"connections"},
            new String[] {"connections", "show"},
            new String[] {"keys"},
            new String[] {"gateways", "--admin-url=ftp://h", "--user=u", "--password=p"},
            new String[] {
              "gateways",
              "--admin-url=https://h",
              "--user=u",
              "--password=p",
              "--admin-ca=no-such.pem"
            })) {
      assertThat(CommandRun.of(args).exitCode()).as(String.join(" ", args)).isEqualTo(2);
    }
  }

  private CommandRun admin(String... args) {
    List<String> all = new ArrayList<>(List.of(args));
    all.addAll(List.of("--admin-url=" + url() + "/", "--user=admin", "--password=secret"));
    return CommandRun.of(all.toArray(String[]::new));
  }

  private String url() {
    return "http://localhost:" + server.getAddress().getPort();
  }

  private void reply(int status, String body) {
    reply = new Reply(status, "application/json", body);
  }

  private void answer(HttpExchange exchange) throws IOException {
    String basic = exchange.getRequestHeaders().getFirst("Authorization").substring(6);
    requests.add(
        exchange.getRequestMethod()
            + " "
            + exchange.getRequestURI().getRawPath()
            + " "
            + new String(Base64.getDecoder().decode(basic), StandardCharsets.UTF_8));
    byte[] body = reply.body().getBytes(StandardCharsets.UTF_8);
    exchange.getResponseHeaders().putAll(Map.of("Content-Type", List.of(reply.type())));
    exchange.sendResponseHeaders(reply.status(), body.length == 0 ? -1 : body.length);
    exchange.getResponseBody().write(body);
    exchange.close();
  }
}
