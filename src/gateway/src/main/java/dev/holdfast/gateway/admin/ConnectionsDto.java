package dev.holdfast.gateway.admin;

import jakarta.json.bind.annotation.JsonbProperty;
import jakarta.json.bind.annotation.JsonbPropertyOrder;
import java.util.List;
import org.eclipse.microprofile.openapi.annotations.media.Schema;

/** A list of connections in JSON. */
@Schema(
    name = "Connections",
    description = "Connections, and the gateways that could not be asked for theirs.")
@JsonbPropertyOrder({"connections", "unreachableGateways"})
public record ConnectionsDto(
    @JsonbProperty("connections") List<ConnectionDto> connections,
    @JsonbProperty("unreachable_gateways") List<String> unreachableGateways) {}
