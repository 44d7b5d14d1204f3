package dev.holdfast.gateway.lock;

import dev.holdfast.gateway.identity.ConnectionId;
import dev.holdfast.gateway.identity.Identity;
import java.util.Optional;

/**
 * Asks for an identity.
 *
 * @param session the connection that is to hold it; a repeated request of the same session that
 *     already won wins again
 * @param apiKeyId the id of the API key that opened the connection
 * @param resume the session to take over; works only if it holds the identity under the same key
 */
public record AcquireRequest(
    Identity identity, ConnectionId session, String apiKeyId, Optional<ConnectionId> resume) {}
