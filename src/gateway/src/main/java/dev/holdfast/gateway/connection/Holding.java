package dev.holdfast.gateway.connection;

import dev.holdfast.gateway.lock.LockKey;
import dev.holdfast.gateway.lock.LockRecord;
import dev.holdfast.gateway.message.SenderLane;

/**
 * What a connection has once Redis gave it the identity.
 *
 * @param sinceNanos when the acquire was sent, by the monotonic clock: the lease runs from then
 */
record Holding(LockKey key, LockRecord lock, boolean resumed, SenderLane lane, long sinceNanos) {}
