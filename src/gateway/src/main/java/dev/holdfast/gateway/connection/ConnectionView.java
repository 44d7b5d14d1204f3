package dev.holdfast.gateway.connection;

import dev.holdfast.gateway.identity.ConnectionId;
import dev.holdfast.gateway.identity.Identity;
import dev.holdfast.protocol.peer.v1.ConnectionInfo;
import java.time.Instant;

/**
 * One connection, as administrators see it.
 *
 * @param token the fencing token; 0 while the identity is not held yet
 * @param connectedAt when the stream was opened
 * @param peer the address of the client
 * @param queuedMessages how many messages wait for the client to read
 */
public record ConnectionView(
    ConnectionId session,
    Identity identity,
    ConnectionState state,
    long token,
    String gatewayId,
    Instant connectedAt,
    boolean resumed,
    String apiKeyId,
    String peer,
    String clientAgent,
    int queuedMessages) {
  /** Writes the view as gateways tell it each other. */
  public ConnectionInfo toProto() {
    return ConnectionInfo.newBuilder()
        .setSessionId(session.value())
        .setIdentity(identity.toString())
        .setKind(identity.kind().label())
        .setState(state.name())
        .setFencingToken(token)
        .setGatewayId(gatewayId)
        .setConnectedAtMillis(connectedAt.toEpochMilli())
        .setResumed(resumed)
        .setApiKeyId(apiKeyId)
        .setPeer(peer)
        .setClientAgent(clientAgent)
        .setQueuedMessages(queuedMessages)
        .build();
  }
}
