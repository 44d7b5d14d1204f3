package dev.holdfast.gateway.admin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.gateway.cluster.GatewayRecord;
import dev.holdfast.gateway.error.GatewayError;
import dev.holdfast.gateway.error.GatewayException;
import dev.holdfast.protocol.peer.v1.ConnectionInfo;
import jakarta.json.bind.Jsonb;
import jakarta.json.bind.JsonbBuilder;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The shape of the JSON, to the character: clients depend on it. */
final class AdminJsonTest {
  private static final Jsonb JSONB = JsonbBuilder.create();
  private static final long TOKEN = 1_796_000_000_123_456L;

  @Test
  void connections() {
    ConnectionInfo info =
        ConnectionInfo.newBuilder()
            .setSessionId("conn-0123456789abcdef0123456789abcdef")
            .setIdentity("agent/acme/builder/7")
            .setKind("agent")
            .setState("HELD")
            .setFencingToken(TOKEN)
            .setGatewayId("gw-1")
            .setConnectedAtMillis(Instant.parse("2026-11-30T12:00:00.25Z").toEpochMilli())
            .setResumed(true)
            .setApiKeyId("builder")
            .setPeer("10.1.2.3:4711")
            .setClientAgent("holdfast-java/1.0.0")
            .setQueuedMessages(3)
            .build();

    assertJson(
        new ConnectionsDto(List.of(ConnectionDto.of(info)), List.of("gw-2")),
        """
        {"connections":[{"session_id":"conn-0123456789abcdef0123456789abcdef",\
        "identity":"agent/acme/builder/7","kind":"agent","state":"HELD",\
        "fencing_token":1796000000123456,"gateway_id":"gw-1",\
        "connected_at":"2026-11-30T12:00:00.250Z","resumed":true,"api_key_id":"builder",\
        "peer":"10.1.2.3:4711","client_agent":"holdfast-java/1.0.0","queued_messages":3}],\
        "unreachable_gateways":["gw-2"]}""");
  }

  @Test
  void gateways() {
    GatewayRecord record =
        new GatewayRecord(
            "gw-1",
            "0123456789abcdef",
            "10.0.0.1:7400",
            "1.0.0",
            Instant.parse("2026-11-30T12:00:00Z"),
            "SERVING",
            17);

    assertJson(
        new GatewaysDto(List.of(GatewayDto.of(record, "0123456789abcdef"))),
        """
        {"gateways":[{"gateway_id":"gw-1","epoch":"0123456789abcdef",\
        "grpc_address":"10.0.0.1:7400","version":"1.0.0","started_at":"2026-11-30T12:00:00Z",\
        "state":"SERVING","connections":17,"self":true}]}""");
  }

  @Test
  void problem() {
    assertJson(
        ProblemDto.of(
            new GatewayException(GatewayError.CONNECTION_NOT_FOUND, "No live connection has it.")),
        """
        {"type":"urn:holdfast:error:CONNECTION_NOT_FOUND",\
        "title":"No live connection has this session id.","status":404,\
        "detail":"No live connection has it.","reason":"CONNECTION_NOT_FOUND","code":5004}""");
  }

  private static void assertJson(Object value, String expected) {
    assertThat(JSONB.toJson(value)).isEqualTo(expected);
  }
}
