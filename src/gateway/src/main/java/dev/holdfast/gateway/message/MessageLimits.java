package dev.holdfast.gateway.message;

import dev.holdfast.gateway.config.GatewayConfig;
import java.time.Duration;

/**
 * What bounds the channel.
 *
 * @param maxPayloadBytes the largest payload
 * @param queueCapacity how many messages may wait for one receiver, and how many of one sender may
 *     be under way to other gateways
 * @param queueBytes how many bytes of payload may wait, likewise; one message always fits
 * @param deliveryTimeout how long another gateway may take to answer
 */
public record MessageLimits(
    int maxPayloadBytes, int queueCapacity, int queueBytes, Duration deliveryTimeout) {
  /** Takes the limits from the configuration. */
  public static MessageLimits of(GatewayConfig.Message config) {
    return new MessageLimits(
        config.maxPayloadBytes(),
        config.queueCapacity(),
        config.queueBytes(),
        config.deliveryTimeout());
  }
}
