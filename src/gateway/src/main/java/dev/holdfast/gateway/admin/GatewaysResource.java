package dev.holdfast.gateway.admin;

import jakarta.enterprise.context.RequestScoped;
import jakarta.inject.Inject;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import java.util.Comparator;
import java.util.List;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.media.Content;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;

/** {@code /api/gateways}: the live gateways of the deployment. */
@RequestScoped
@Path("gateways")
@Produces(MediaType.APPLICATION_JSON)
@Tag(name = "gateways")
public class GatewaysResource {
  private static final Comparator<GatewayDto> ORDER =
      Comparator.comparing(GatewayDto::gatewayId).thenComparing(GatewayDto::epoch);

  @Inject private AdminAccess access;

  @GET
  @Operation(
      summary = "Lists gateways",
      description = "Those whose lease in Redis is alive, by id.")
  @APIResponse(
      responseCode = "200",
      content = @Content(schema = @Schema(implementation = GatewaysDto.class)))
  @APIResponse(responseCode = "503", description = "`LOCK_STORE_UNAVAILABLE`")
  public GatewaysDto list() {
    ClusterConnections cluster = access.connections();
    String ownEpoch = cluster.self().epoch();
    List<GatewayDto> gateways =
        Answer.of(cluster.gateways()).stream()
            .map(gateway -> GatewayDto.of(gateway, ownEpoch))
            .sorted(ORDER)
            .toList();
    return new GatewaysDto(gateways);
  }
}
