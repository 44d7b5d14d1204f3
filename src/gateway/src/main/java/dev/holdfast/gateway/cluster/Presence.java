package dev.holdfast.gateway.cluster;

/**
 * What a gateway tells of itself whenever it extends its lease.
 *
 * @param grpcAddress where clients connect, host and port
 * @param state {@code SERVING} or {@code DRAINING}
 * @param connections how many it holds
 */
public record Presence(String grpcAddress, String state, int connections) {}
