package dev.holdfast.gateway.connection;

import dev.holdfast.gateway.access.Caller;
import dev.holdfast.gateway.audit.AuditLog;
import dev.holdfast.gateway.cluster.PeerBus;
import dev.holdfast.gateway.cluster.Self;
import dev.holdfast.gateway.config.GatewayConfig;
import dev.holdfast.gateway.error.GatewayError;
import dev.holdfast.gateway.error.GatewayException;
import dev.holdfast.gateway.lock.IdentityLock;
import dev.holdfast.gateway.message.Frames;
import dev.holdfast.gateway.message.MessageLimits;
import dev.holdfast.gateway.message.MessageRouter;
import dev.holdfast.gateway.message.OutboxMeters;
import dev.holdfast.gateway.message.UndeliverableMessages;
import dev.holdfast.gateway.quota.WorkspaceQuota;
import dev.holdfast.gateway.task.TaskUpdates;
import dev.holdfast.gateway.telemetry.Meters;
import dev.holdfast.protocol.gateway.v1.ConnectResponse;
import dev.holdfast.protocol.gateway.v1.ConnectionAck;
import java.time.Duration;

/**
 * Opens the connections of this gateway, and holds what they share.
 *
 * <p>Immutable, thread-safe.
 */
public final class Connections {
  /** What connections call: the lock and its leases, other gateways, and what follows an end. */
  public record Ports(
      IdentityLock lock,
      LeaseKeeper leases,
      PeerBus bus,
      WorkspaceQuota quota,
      TaskUpdates tasks,
      UndeliverableMessages undeliverable) {}

  /** Room for everything in a frame but the payload; also for a payload a little too large. */
  private static final int FRAME_OVERHEAD_BYTES = 64 * 1024;

  final ConnectionRegistry registry;
  final Self self;
  final Ports ports;
  final Environment environment;
  final Duration initTimeout;
  final Duration lockTtl;
  final MessageLimits limits;
  final MessageRouter router;
  final OutboxMeters outboxMeters;
  final ConnectionMeters meters;
  final ConnectionLog log = new ConnectionLog();
  final InitReader initReader;
  final LockReleaser releaser;
  final Cleanup cleanup;
  final Takeover takeover;

  private final Duration usableLease;

  public Connections(
      ConnectionRegistry registry,
      Self self,
      GatewayConfig config,
      Ports ports,
      Environment environment,
      Meters meters) {
    this.registry = registry;
    this.self = self;
    this.ports = ports;
    this.environment = environment;
    this.initTimeout = config.connection().initTimeout();
    this.lockTtl = config.lock().ttl();
    this.usableLease = lockTtl.minus(config.lock().safetyMargin());
    this.limits = MessageLimits.of(config.message());
    this.router =
        new MessageRouter(
            new MessageRouter.Cluster(self, ports.lock(), ports.bus()),
            registry,
            limits,
            ports.undeliverable(),
            meters);
    this.outboxMeters = new OutboxMeters(meters);
    this.meters = new ConnectionMeters(meters);
    this.initReader = new InitReader(environment.random());
    this.releaser = new LockReleaser(ports.lock(), environment, lockTtl, log);
    this.cleanup =
        new Cleanup(
            releaser,
            new Cleanup.Steps(ports.quota(), ports.tasks(), new AuditLog()),
            environment,
            this.meters,
            log);
    this.takeover = new Takeover(self, ports.bus(), registry, config.adminTimeout(), log);
  }

  /** Makes the drain of this gateway's connections. */
  public Drain drain() {
    return new Drain(registry, environment, log);
  }

  /** Returns the largest frame that clients may send, in bytes. */
  public static int maxFrameBytes(GatewayConfig config) {
    return config.message().maxPayloadBytes() + FRAME_OVERHEAD_BYTES;
  }

  /** Makes the connection of a stream that was just opened; {@link Connection#begin} starts it. */
  Connection open(Caller caller, ClientStream stream) {
    return new Connection(this, caller, stream);
  }

  /** Says whether a lock that was asked for at {@code sentNanos} may no longer be relied on. */
  boolean isLate(long sentNanos) {
    return environment.since(sentNanos).compareTo(usableLease) >= 0;
  }

  ConnectResponse ack(InitRequest request, Holding held) {
    return ConnectResponse.newBuilder()
        .setAck(
            ConnectionAck.newBuilder()
                .setSessionId(held.key().session().value())
                .setResumed(held.resumed())
                .setAssignedId(request.assignedId())
                .setFencingToken(held.lock().token())
                .setLockTtl(Frames.toProto(lockTtl))
                .setGatewayId(self.id())
                .setServerVersion(self.version())
                .setIdentity(request.identity().toString())
                .setMaxPayloadBytes(limits.maxPayloadBytes()))
        .build();
  }

  GatewayException shuttingDown() {
    return shuttingDown(Drain.retryAfter(environment.random(), 0));
  }

  GatewayException shuttingDown(Duration retryAfter) {
    return new GatewayException(
        GatewayError.SHUTTING_DOWN,
        "Gateway %s is stopping; connect again, to any gateway.".formatted(self.id()),
        retryAfter);
  }
}
