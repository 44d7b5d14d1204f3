package dev.holdfast.gateway.cluster;

import java.time.Instant;

/**
 * This gateway, in this boot.
 *
 * @param id its name, unique in the deployment
 * @param epoch names this boot; 16 hexadecimal digits, never used again
 * @param version the server version that clients are told
 */
public record Self(String id, String epoch, String version, Instant startedAt) {}
