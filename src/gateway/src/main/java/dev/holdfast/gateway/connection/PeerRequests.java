package dev.holdfast.gateway.connection;

import dev.holdfast.gateway.cluster.PeerHandler;
import dev.holdfast.gateway.error.GatewayError;
import dev.holdfast.gateway.identity.ConnectionId;
import dev.holdfast.gateway.message.Frames;
import dev.holdfast.gateway.message.Outbox;
import dev.holdfast.protocol.peer.v1.CloseConnection;
import dev.holdfast.protocol.peer.v1.CloseResult;
import dev.holdfast.protocol.peer.v1.ConnectionList;
import dev.holdfast.protocol.peer.v1.Deliver;
import dev.holdfast.protocol.peer.v1.DeliverResult;
import dev.holdfast.protocol.peer.v1.ListConnections;
import dev.holdfast.protocol.peer.v1.PeerReply;
import dev.holdfast.protocol.peer.v1.PeerRequest;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Answers other gateways about the connections of this one. Thread-safe, never blocks. */
public final class PeerRequests implements PeerHandler {
  private static final CompletionStage<CloseResult> NOT_HERE =
      CompletableFuture.completedStage(CloseResult.getDefaultInstance());

  private final ConnectionRegistry registry;

  public PeerRequests(ConnectionRegistry registry) {
    this.registry = registry;
  }

  @Override
  public CompletionStage<PeerReply> handle(PeerRequest request) {
    return switch (request.getKindCase()) {
      case DELIVER -> now(PeerReply.newBuilder().setDeliver(deliver(request.getDeliver())).build());
      case LIST_CONNECTIONS ->
          now(
              PeerReply.newBuilder()
                  .setListConnections(list(request.getListConnections()))
                  .build());
      case CLOSE_CONNECTION ->
          close(request.getCloseConnection())
              .thenApply(result -> PeerReply.newBuilder().setCloseConnection(result).build());
      case KIND_NOT_SET ->
          now(PeerReply.newBuilder().setFailure("The request is of no kind known here.").build());
    };
  }

  private static CompletionStage<PeerReply> now(PeerReply reply) {
    return CompletableFuture.completedStage(reply);
  }

  private DeliverResult deliver(Deliver deliver) {
    Outbox receiver = registry.find(deliver.getTo());
    Outbox.Offer offer =
        receiver == null
            ? Outbox.Offer.CLOSED
            : receiver.offer(Frames.message(deliver), deliver.getPayload().size());
    return switch (offer) {
      case ACCEPTED -> DeliverResult.getDefaultInstance();
      case FULL -> refused(GatewayError.OVERLOADED, "The receiver's queue is full.");
      case CLOSED -> refused(GatewayError.NOT_CONNECTED, "The receiver is not connected here.");
    };
  }

  private static DeliverResult refused(GatewayError reason, String message) {
    return DeliverResult.newBuilder().setReason(reason.name()).setMessage(message).build();
  }

  private ConnectionList list(ListConnections request) {
    ConnectionList.Builder list = ConnectionList.newBuilder();
    if (request.getSessionId().isEmpty()) {
      registry.views().forEach(view -> list.addConnections(view.toProto()));
    } else {
      ConnectionId.parse(request.getSessionId())
          .flatMap(registry::view)
          .ifPresent(view -> list.addConnections(view.toProto()));
    }
    return list.build();
  }

  private CompletionStage<CloseResult> close(CloseConnection request) {
    return ConnectionId.parse(request.getSessionId())
        .flatMap(session -> registry.close(session, causeOf(request), request.getDetail()))
        .map(
            released ->
                released.thenApply(
                    confirmed ->
                        CloseResult.newBuilder().setFound(true).setReleased(confirmed).build()))
        .orElse(NOT_HERE);
  }

  private static CloseCause causeOf(CloseConnection request) {
    return switch (request.getCause()) {
      case CLOSE_CAUSE_SUPERSEDED -> CloseCause.SUPERSEDED;
      case CLOSE_CAUSE_FORCE_DISCONNECT, CLOSE_CAUSE_UNSPECIFIED, UNRECOGNIZED ->
          CloseCause.FORCE_DISCONNECT;
    };
  }
}
