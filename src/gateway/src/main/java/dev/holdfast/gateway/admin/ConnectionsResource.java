package dev.holdfast.gateway.admin;

import dev.holdfast.gateway.error.GatewayError;
import dev.holdfast.gateway.error.GatewayException;
import dev.holdfast.gateway.identity.ConnectionId;
import dev.holdfast.protocol.peer.v1.ConnectionInfo;
import jakarta.enterprise.context.RequestScoped;
import jakarta.inject.Inject;
import jakarta.ws.rs.DELETE;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.SecurityContext;
import java.security.Principal;
import java.util.Comparator;
import java.util.List;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.media.Content;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;
import org.jspecify.annotations.Nullable;

/** {@code /api/connections}: the live connections of the whole deployment. */
@RequestScoped
@Path("connections")
@Produces(MediaType.APPLICATION_JSON)
@Tag(name = "connections")
public class ConnectionsResource {
  private static final Comparator<ConnectionInfo> ORDER =
      Comparator.comparing(ConnectionInfo::getIdentity).thenComparing(ConnectionInfo::getSessionId);

  @Inject private AdminAccess access;

  @GET
  @Operation(
      summary = "Lists connections",
      description =
          "The connections of every live gateway that answered in time, by identity and session.")
  @APIResponse(
      responseCode = "200",
      content = @Content(schema = @Schema(implementation = ConnectionsDto.class)))
  public ConnectionsDto list(
      @QueryParam("kind") @Nullable String kind,
      @QueryParam("identity") @Nullable String identityPrefix,
      @QueryParam("gateway") @Nullable String gatewayId) {
    ClusterConnections.Listing listing = Answer.of(access.connections().list());
    List<ConnectionDto> connections =
        listing.connections().stream()
            .filter(info -> kind == null || info.getKind().equals(kind))
            .filter(info -> identityPrefix == null || info.getIdentity().startsWith(identityPrefix))
            .filter(info -> gatewayId == null || info.getGatewayId().equals(gatewayId))
            .sorted(ORDER)
            .map(ConnectionDto::of)
            .toList();
    return new ConnectionsDto(
        connections, listing.unreachableGateways().stream().sorted().toList());
  }

  @GET
  @Path("{session_id}")
  @Operation(summary = "Shows one connection")
  @APIResponse(
      responseCode = "200",
      content = @Content(schema = @Schema(implementation = ConnectionDto.class)))
  @APIResponse(responseCode = "404", description = "`CONNECTION_NOT_FOUND`")
  @APIResponse(
      responseCode = "504",
      description = "`GATEWAY_UNREACHABLE`: a gateway that may have it did not answer")
  public ConnectionDto show(@PathParam("session_id") String sessionId) {
    return ConnectionDto.of(Answer.of(access.connections().find(session(sessionId))));
  }

  @DELETE
  @Path("{session_id}")
  @Operation(
      summary = "Ends one connection",
      description = "Answers when its lock is released. The client is told `FORCE_DISCONNECT`.")
  @APIResponse(responseCode = "204", description = "The identity is free")
  @APIResponse(responseCode = "404", description = "`CONNECTION_NOT_FOUND`")
  @APIResponse(
      responseCode = "503",
      description = "`LOCK_STORE_UNAVAILABLE`: closed, but Redis did not confirm the release")
  @APIResponse(
      responseCode = "504",
      description = "`GATEWAY_UNREACHABLE`: a gateway that may have it did not answer")
  public void close(@PathParam("session_id") String sessionId, @Context SecurityContext security) {
    ConnectionId session = session(sessionId);
    @Nullable Principal user = security.getUserPrincipal();
    String name = user == null ? "unknown" : user.getName();
    Answer.of(access.connections().close(session, "Ended by administrator " + name + "."));
    AdminLog.closed(session, name);
  }

  private static ConnectionId session(String text) {
    return ConnectionId.parse(text)
        .orElseThrow(
            () ->
                new GatewayException(
                    GatewayError.INVALID_SESSION_ID,
                    "'%s' is no session id; one is 'conn-' and 32 hexadecimal digits."
                        .formatted(text)));
  }
}
