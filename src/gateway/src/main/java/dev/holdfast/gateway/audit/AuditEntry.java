package dev.holdfast.gateway.audit;

import dev.holdfast.gateway.identity.ConnectionId;
import dev.holdfast.gateway.identity.Identity;
import java.time.Duration;

/**
 * The end of one connection that held an identity.
 *
 * @param cause why it ended, by name
 * @param keyId the id of the API key, never the key
 * @param released whether the lock is known to be released, or already another's
 * @param held from the acquisition to the end
 * @param cleanup from the end until this entry
 */
public record AuditEntry(
    Identity identity,
    ConnectionId session,
    long token,
    String cause,
    String gatewayId,
    String keyId,
    String peer,
    boolean resumed,
    boolean released,
    Duration held,
    Duration cleanup) {}
