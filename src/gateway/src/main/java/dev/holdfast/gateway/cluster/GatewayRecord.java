package dev.holdfast.gateway.cluster;

import java.time.Instant;

/**
 * One live gateway, as it describes itself in Redis.
 *
 * @param id its configured or generated name
 * @param epoch one boot of it
 * @param grpcAddress where clients connect, host and port
 * @param state {@code SERVING} or {@code DRAINING}
 * @param connections how many it held when it last renewed its lease
 */
public record GatewayRecord(
    String id,
    String epoch,
    String grpcAddress,
    String version,
    Instant startedAt,
    String state,
    int connections) {}
