package dev.holdfast.gateway.message;

import dev.holdfast.gateway.cluster.PeerBus;
import dev.holdfast.gateway.cluster.Self;
import dev.holdfast.gateway.error.GatewayError;
import dev.holdfast.gateway.identity.Identity;
import dev.holdfast.gateway.lock.IdentityLock;
import dev.holdfast.gateway.telemetry.Meter;
import dev.holdfast.gateway.telemetry.Meters;
import dev.holdfast.protocol.gateway.v1.ConnectResponse;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Brings messages from clients of this gateway to their receivers, here or elsewhere.
 *
 * <p>Thread-safe. Order per sender is kept by the {@link SenderLane} that each connection has.
 */
public final class MessageRouter {
  /** How messages find gateways other than this one. */
  public record Cluster(Self self, IdentityLock lock, PeerBus bus) {}

  final Cluster cluster;
  final Receivers receivers;
  final MessageLimits limits;
  final UndeliverableMessages undeliverable;

  private final Meters.Counter accepted;
  private final Map<GatewayError, Meters.Counter> rejected = new EnumMap<>(GatewayError.class);

  public MessageRouter(
      Cluster cluster,
      Receivers receivers,
      MessageLimits limits,
      UndeliverableMessages undeliverable,
      Meters meters) {
    this.cluster = cluster;
    this.receivers = receivers;
    this.limits = limits;
    this.undeliverable = undeliverable;
    this.accepted = meters.counter(Meter.MESSAGES, "accepted");
    for (GatewayError error : GatewayError.values()) {
      rejected.put(error, meters.counter(Meter.MESSAGES, error.name().toLowerCase(Locale.ROOT)));
    }
  }

  /**
   * Opens the lane of one sender.
   *
   * @param token the sender's fencing token, which goes with every message
   * @param receipts takes one receipt for each message, in the order of sending; never called
   *     concurrently
   */
  public SenderLane lane(Identity from, long token, Consumer<ConnectResponse> receipts) {
    return new SenderLane(this, from.toString(), token, receipts);
  }

  ConnectResponse accept(String correlationId) {
    accepted.add(1);
    return Frames.accepted(correlationId);
  }

  ConnectResponse reject(String correlationId, Rejection rejection) {
    count(rejection.error());
    return Frames.rejected(correlationId, rejection);
  }

  void count(GatewayError error) {
    Meters.Counter counter = rejected.get(error);
    if (counter != null) {
      counter.add(1);
    }
  }
}
