package dev.holdfast.client;

import java.util.Optional;

/**
 * One step of a connection from a state to another.
 *
 * @param from the state before
 * @param to the state after
 * @param fencingToken the token of the newest acquisition when the step was made
 * @param cause why, where something went wrong; empty for good news and for a close by this client
 */
public record StateChange(
    ConnectionState from,
    ConnectionState to,
    long fencingToken,
    Optional<HoldfastException> cause) {}
