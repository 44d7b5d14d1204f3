package dev.holdfast.gateway.access;

/**
 * Who makes a call.
 *
 * @param key the API key that was presented and is valid
 * @param peer the address of the client, for logs and listings
 */
public record Caller(ApiKey key, String peer) {}
