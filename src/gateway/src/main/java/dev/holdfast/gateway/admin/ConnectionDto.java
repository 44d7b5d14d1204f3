package dev.holdfast.gateway.admin;

import dev.holdfast.protocol.peer.v1.ConnectionInfo;
import jakarta.json.bind.annotation.JsonbProperty;
import jakarta.json.bind.annotation.JsonbPropertyOrder;
import java.time.Instant;
import org.eclipse.microprofile.openapi.annotations.media.Schema;

/** One connection in JSON. */
@Schema(name = "Connection", description = "One live connection.")
@JsonbPropertyOrder({
  "sessionId",
  "identity",
  "kind",
  "state",
  "fencingToken",
  "gatewayId",
  "connectedAt",
  "resumed",
  "apiKeyId",
  "peer",
  "clientAgent",
  "queuedMessages"
})
public record ConnectionDto(
    @JsonbProperty("session_id") String sessionId,
    @JsonbProperty("identity") String identity,
    @JsonbProperty("kind") String kind,
    @JsonbProperty("state") String state,
    @JsonbProperty("fencing_token") long fencingToken,
    @JsonbProperty("gateway_id") String gatewayId,
    @JsonbProperty("connected_at") String connectedAt,
    @JsonbProperty("resumed") boolean resumed,
    @JsonbProperty("api_key_id") String apiKeyId,
    @JsonbProperty("peer") String peer,
    @JsonbProperty("client_agent") String clientAgent,
    @JsonbProperty("queued_messages") int queuedMessages) {
  static ConnectionDto of(ConnectionInfo info) {
    return new ConnectionDto(
        info.getSessionId(),
        info.getIdentity(),
        info.getKind(),
        info.getState(),
        info.getFencingToken(),
        info.getGatewayId(),
        Instant.ofEpochMilli(info.getConnectedAtMillis()).toString(),
        info.getResumed(),
        info.getApiKeyId(),
        info.getPeer(),
        info.getClientAgent(),
        info.getQueuedMessages());
  }
}
