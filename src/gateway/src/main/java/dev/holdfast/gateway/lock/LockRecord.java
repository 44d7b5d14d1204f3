package dev.holdfast.gateway.lock;

import dev.holdfast.gateway.identity.ConnectionId;
import java.time.Instant;

/**
 * What Redis says of a held identity.
 *
 * @param session the connection that holds it
 * @param token its fencing token
 * @param gatewayId the gateway that serves that connection
 * @param gatewayEpoch the boot of that gateway
 * @param apiKeyId the id of the API key that opened the connection
 * @param since when the connection took the identity, by Redis' clock
 */
public record LockRecord(
    ConnectionId session,
    long token,
    String gatewayId,
    String gatewayEpoch,
    String apiKeyId,
    Instant since) {}
