package dev.holdfast.gateway.admin;

import jakarta.json.bind.annotation.JsonbProperty;
import java.util.List;
import org.eclipse.microprofile.openapi.annotations.media.Schema;

/** The gateways of the deployment in JSON. */
@Schema(name = "Gateways", description = "The live gateways of the deployment.")
public record GatewaysDto(@JsonbProperty("gateways") List<GatewayDto> gateways) {}
