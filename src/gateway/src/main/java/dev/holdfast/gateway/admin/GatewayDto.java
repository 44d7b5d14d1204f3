package dev.holdfast.gateway.admin;

import dev.holdfast.gateway.cluster.GatewayRecord;
import jakarta.json.bind.annotation.JsonbProperty;
import jakarta.json.bind.annotation.JsonbPropertyOrder;
import org.eclipse.microprofile.openapi.annotations.media.Schema;

/** One gateway in JSON. */
@Schema(name = "Gateway", description = "One live gateway.")
@JsonbPropertyOrder({
  "gatewayId",
  "epoch",
  "grpcAddress",
  "version",
  "startedAt",
  "state",
  "connections",
  "self"
})
public record GatewayDto(
    @JsonbProperty("gateway_id") String gatewayId,
    @JsonbProperty("epoch") String epoch,
    @JsonbProperty("grpc_address") String grpcAddress,
    @JsonbProperty("version") String version,
    @JsonbProperty("started_at") String startedAt,
    @JsonbProperty("state") String state,
    @JsonbProperty("connections") int connections,
    @JsonbProperty("self") boolean self) {
  static GatewayDto of(GatewayRecord gateway, String ownEpoch) {
    return new GatewayDto(
        gateway.id(),
        gateway.epoch(),
        gateway.grpcAddress(),
        gateway.version(),
        gateway.startedAt().toString(),
        gateway.state(),
        gateway.connections(),
        gateway.epoch().equals(ownEpoch));
  }
}
