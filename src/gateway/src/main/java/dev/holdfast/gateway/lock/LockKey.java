package dev.holdfast.gateway.lock;

import dev.holdfast.gateway.identity.ConnectionId;
import dev.holdfast.gateway.identity.Identity;

/**
 * Ownership of an identity by one connection: never the identity alone, so that a late call of an
 * old holder cannot touch its successor.
 */
public record LockKey(Identity identity, ConnectionId session) {}
