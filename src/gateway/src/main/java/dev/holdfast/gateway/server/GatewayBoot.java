package dev.holdfast.gateway.server;

import dev.holdfast.gateway.cluster.Presence;
import dev.holdfast.gateway.cluster.Self;
import dev.holdfast.gateway.config.ConfigException;
import dev.holdfast.gateway.config.ConfigReader;
import dev.holdfast.gateway.config.GatewayConfig;
import dev.holdfast.gateway.connection.ConnectionRegistry;
import dev.holdfast.gateway.connection.PeerRequests;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A gateway that has been started, in phases: configuration, Redis, the cluster, the connections,
 * the gRPC port, ready. It stops in the reverse order, within its deadline.
 */
final class GatewayBoot {
  private static final Duration TLS_CHECK = Duration.ofSeconds(10);
  private static final Duration FAILED_START_STOP = Duration.ofSeconds(3);

  private final Container container;
  private final GatewayConfig config;
  private final GatewayHealth health;
  private final Shutdown shutdown;
  private final Parts parts;
  private volatile String grpcAddress = "";

  private GatewayBoot(
      Container container, GatewayConfig config, GatewayHealth health, Shutdown shutdown) {
    this.container = container;
    this.config = config;
    this.health = health;
    this.shutdown = shutdown;
    this.parts = start();
  }

  /**
   * Starts the gateway.
   *
   * @return empty if it cannot be started, which is logged; then nothing of it is left
   */
  static Optional<GatewayBoot> tryStart(Container container, GatewayHealth health) {
    Shutdown shutdown = new Shutdown(System::nanoTime);
    try {
      GatewayConfig config = ConfigReader.read(container.config());
      ConfigReader.unknownKeys(container.config()).forEach(ServerLog::unknownKey);
      return Optional.of(new GatewayBoot(container, config, health, shutdown));
    } catch (ConfigException e) {
      ServerLog.startFailed(e.getMessage());
    } catch (RuntimeException e) {
      ServerLog.startFailed(e);
    }
    int unused = shutdown.run(FAILED_START_STOP);
    return Optional.empty();
  }

  /** Returns what administration needs. */
  Parts parts() {
    return parts;
  }

  /** Stops the gateway within the configured time; the second call finds nothing to stop. */
  synchronized void stop() {
    long startNanos = System.nanoTime();
    int abandoned = shutdown.run(config.shutdownTimeout());
    ServerLog.stopped(Duration.ofNanos(System.nanoTime() - startNanos), abandoned);
  }

  private Parts start() {
    SecureRandom random = new SecureRandom();
    Self self = SelfMaker.make(config.gateway(), random);
    Foundation foundation = new Foundation(self, config, container, random, shutdown);
    ConnectionRegistry registry = container.registry().orElseThrow();
    PeerRequests local = new PeerRequests(registry);
    RedisSide redis = RedisSide.open(foundation, local, () -> presence(registry));
    GrpcSide grpc = GrpcSide.open(foundation, registry, redis);
    grpcAddress = grpc.address();
    shutdown.first("health", remaining -> announceEnd(grpc));
    health.serving(redis.connection()::seenWithin, redis::joined);
    schedule("health", GatewayHealth.TICK, () -> health.tick(grpc.endpoint()::setServing));
    grpc.tls().ifPresent(tls -> schedule("TLS reload", TLS_CHECK, tls::reload));
    ServerLog.started(self, grpcAddress, grpc.tls().isPresent());
    var unused = redis.register().whenComplete((done, failure) -> stopIfTwin(failure));
    return new Parts(self, redis.directory()::live, redis.bus(), local, config.adminTimeout());
  }

  /** Stops a gateway whose id is another's; that is found out only when Redis answers. */
  private void stopIfTwin(@Nullable Throwable failure) {
    if (failure instanceof ConfigException) {
      ServerLog.startFailed(String.valueOf(failure.getMessage()));
      var unused = container.timers().schedule(this::stop, 0, TimeUnit.MILLISECONDS);
    }
  }

  private Presence presence(ConnectionRegistry registry) {
    boolean draining = health.phase() == GatewayHealth.Phase.DRAINING;
    return new Presence(grpcAddress, draining ? "DRAINING" : "SERVING", registry.active());
  }

  private void announceEnd(GrpcSide grpc) {
    health.draining();
    grpc.endpoint().announceEnd();
  }

  private void schedule(String name, Duration period, Runnable task) {
    Runnable guarded =
        () -> {
          try {
            task.run();
          } catch (RuntimeException e) { // A task that throws would never run again.
            ServerLog.taskFailed(name, e);
          }
        };
    var future =
        container
            .timers()
            .scheduleWithFixedDelay(guarded, 0, period.toMillis(), TimeUnit.MILLISECONDS);
    shutdown.first("timer " + name, remaining -> future.cancel(false));
  }
}
