package dev.holdfast.systemtests;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.protocol.gateway.v1.InitConnection;
import dev.holdfast.protocol.gateway.v1.Principal;
import dev.holdfast.systemtests.driver.Admin;
import dev.holdfast.systemtests.driver.Principals;
import dev.holdfast.systemtests.driver.RawConnection;
import dev.holdfast.systemtests.suite.Clients;
import dev.holdfast.systemtests.suite.SharedCluster;
import dev.holdfast.systemtests.suite.Suite;
import io.grpc.Status;
import jakarta.json.JsonObject;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Administration of the whole deployment through one gateway. */
@ExtendWith(Suite.class)
final class AdminIT {
  private static final String UNKNOWN = "conn-" + "0".repeat(32);
  private static final String PROBLEM = "application/problem+json";

  @AutoClose private final Clients clients = new Clients();
  private final SharedCluster cluster;
  private final Admin first;
  private final Admin second;

  AdminIT(SharedCluster cluster) {
    this.cluster = cluster;
    this.first = new Admin(cluster.first());
    this.second = new Admin(cluster.second());
  }

  @Test
  void connections_ofAllGateways_areListedByEachGateway() {
    String here = hold().ack().getSessionId();
    RawConnection there = clients.to(cluster.second()).connect(Principals.freshAgent()).held();

    for (Admin admin : List.of(first, second)) {
      JsonObject listing = admin.get("/api/connections").object();
      assertThat(listing.getJsonArray("connections").getValuesAs(JsonObject.class))
          .extracting(connection -> connection.getString("session_id"))
          .contains(here, there.ack().getSessionId());
      assertThat(listing.getJsonArray("unreachable_gateways")).isEmpty();
    }
  }

  @Test
  void connections_canBeFiltered() {
    RawConnection mine = hold();
    hold();

    JsonObject listing = second.get("/api/connections?identity=" + identityOf(mine)).object();

    assertThat(listing.getJsonArray("connections").getValuesAs(JsonObject.class))
        .extracting(connection -> connection.getString("session_id"))
        .containsExactly(mine.ack().getSessionId());
  }

  @Test
  void connection_fromTheOtherGateway_isShownWithEveryField() {
    Instant before = Instant.now().minusSeconds(1);
    InitConnection init =
        InitConnection.newBuilder()
            .setPrincipal(Principals.freshAgent())
            .setClientAgent("tests/1")
            .build();
    RawConnection held = clients.to(cluster.first()).connect(init).held();

    Admin.Answer answer = second.get("/api/connections/" + held.ack().getSessionId());

    assertThat(answer.status()).isEqualTo(200);
    assertThat(answer.contentType()).startsWith("application/json");
    JsonObject shown = answer.object();
    assertThat(shown.getString("session_id")).isEqualTo(held.ack().getSessionId());
    assertThat(shown.getString("identity")).isEqualTo(identityOf(held));
    assertThat(shown.getString("kind")).isEqualTo("agent");
    assertThat(shown.getString("state")).isEqualTo("HELD");
    assertThat(shown.getJsonNumber("fencing_token").longValue())
        .isEqualTo(held.ack().getFencingToken());
    assertThat(shown.getString("gateway_id")).isEqualTo(cluster.first().id());
    assertThat(Instant.parse(shown.getString("connected_at"))).isBetween(before, Instant.now());
    assertThat(shown.getBoolean("resumed")).isFalse();
    assertThat(shown.getString("api_key_id")).isEqualTo("all");
    assertThat(shown.getString("peer")).startsWith("127.0.0.1:");
    assertThat(shown.getString("client_agent")).isEqualTo("tests/1");
    assertThat(shown.getInt("queued_messages")).isZero();
  }

  /** The answer to DELETE comes when the lock is free, and the client is told who did it. */
  @Test
  void delete_fromTheOtherGateway_answersAfterTheLockIsReleased() {
    Principal agent = Principals.freshAgent();
    RawConnection kicked = clients.to(cluster.first()).connect(agent).held();

    Admin.Answer answer = second.delete("/api/connections/" + kicked.ack().getSessionId());

    assertThat(cluster.locks().isHeld(identityOf(kicked))).isFalse();
    assertThat(answer.status()).isEqualTo(204);
    assertThat(clients.to(cluster.second()).connect(agent).isHeld()).isTrue();
    assertThat(kicked.end().code()).isEqualTo(Status.Code.ABORTED);
    assertThat(kicked.end().reason()).isEqualTo("FORCE_DISCONNECT");
    assertThat(second.get("/api/connections/" + kicked.ack().getSessionId()).status())
        .isEqualTo(404);
  }

  @Test
  void gateways_areListedWithTheirState() {
    JsonObject listing = second.get("/api/gateways").object();

    List<JsonObject> gateways = listing.getJsonArray("gateways").getValuesAs(JsonObject.class);
    assertThat(gateways)
        .extracting(gateway -> gateway.getString("gateway_id"))
        .contains(cluster.first().id(), cluster.second().id());
    for (JsonObject gateway : gateways) {
      boolean self = gateway.getString("gateway_id").equals(cluster.second().id());
      assertThat(gateway.getBoolean("self")).isEqualTo(self);
      assertThat(gateway.getString("state")).isEqualTo("SERVING");
      assertThat(gateway.getString("version")).isNotEmpty();
      assertThat(Instant.parse(gateway.getString("started_at"))).isBefore(Instant.now());
      assertThat(gateway.getString("grpc_address")).startsWith("127.0.0.1:");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"GET", "DELETE"})
  void connection_thatIsUnknown_isAProblem(String method) {
    Admin.Answer answer = call(method, UNKNOWN);

    assertProblem(answer, 404, "CONNECTION_NOT_FOUND");
    assertThat(answer.object().getString("detail")).contains(UNKNOWN);
  }

  @ParameterizedTest
  @ValueSource(strings = {"GET", "DELETE"})
  void sessionId_thatIsNone_isAProblem(String method) {
    assertProblem(call(method, "conn-7"), 400, "INVALID_SESSION_ID");
  }

  @Test
  void path_thatIsUnknown_isAProblem() {
    Admin.Answer answer = first.get("/api/nothing");

    assertThat(answer.status()).isEqualTo(404);
    assertThat(answer.contentType()).startsWith(PROBLEM);
  }

  @Test
  void api_withoutCredentials_isRefused() {
    RawConnection held = hold();
    String path = "/api/connections/" + held.ack().getSessionId();

    assertThat(first.anonymous("GET", "/api/connections").status()).isEqualTo(401);
    assertThat(first.anonymous("GET", "/api/gateways").status()).isEqualTo(401);
    assertThat(first.anonymous("DELETE", path).status()).isEqualTo(401);
    assertThat(first.call("DELETE", path, "wrong").status()).isEqualTo(401);
    assertThat(held.isOpen()).isTrue();
  }

  @Test
  void openApi_describesThePaths() {
    Admin.Answer answer = first.anonymous("GET", "/openapi");

    assertThat(answer.status()).isEqualTo(200);
    assertThat(answer.body())
        .contains("/api/connections:", "/api/connections/{session_id}:", "/api/gateways:")
        .contains("title: Holdfast administration", "summary: Ends one connection")
        .contains("    Connection:", "fencing_token:", "scheme: basic");
  }

  private RawConnection hold() {
    return clients.to(cluster.first()).connect(Principals.freshAgent()).held();
  }

  private Admin.Answer call(String method, String sessionId) {
    String path = "/api/connections/" + sessionId;
    return method.equals("GET") ? first.get(path) : first.delete(path);
  }

  private static String identityOf(RawConnection held) {
    return held.ack().getIdentity();
  }

  private static void assertProblem(Admin.Answer answer, int status, String reason) {
    assertThat(answer.status()).isEqualTo(status);
    assertThat(answer.contentType()).startsWith(PROBLEM);
    assertThat(answer.object().getInt("status")).isEqualTo(status);
    assertThat(answer.object().getString("reason")).isEqualTo(reason);
    assertThat(answer.object().getString("title")).isNotEmpty();
    assertThat(answer.body()).doesNotContain("Exception");
  }
}
