package dev.holdfast.gateway.connection;

import dev.holdfast.gateway.identity.ConnectionId;
import dev.holdfast.gateway.identity.Identity;
import java.util.Optional;

/**
 * A valid first frame.
 *
 * @param assignedId the id of a non-unique task; empty for every other principal
 * @param messageCredit how many messages may be sent at first; 0 for no limit
 */
record InitRequest(
    Identity identity,
    Optional<ConnectionId> resume,
    String assignedId,
    long messageCredit,
    String clientAgent) {}
