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
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A gateway that has been started, in phases: configuration, Redis, the cluster, the connections,
 * the gRPC port, ready. It stops in the reverse order, within its deadline.
 */
final class GatewayBoot {
  private static final Duration TLS_CHECK = Duration.ofSeconds(10);

  private final Container container;
  private final GatewayConfig config;
  private final GatewayHealth health;
  private final Shutdown shutdown;
  private final Parts parts;

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
    int unused = shutdown.run(Duration.ZERO);
    return Optional.empty();
  }

  /** Returns what administration needs. */
  Parts parts() {
    return parts;
  }

  /** Stops the gateway within the configured time. */
  void stop() {
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
    CompletableFuture<String> address = new CompletableFuture<>();
    RedisSide redis =
        RedisSide.open(
            foundation,
            local,
            () -> new Presence(address.getNow(""), health.phase().name(), registry.active()));
    GrpcSide grpc = GrpcSide.open(foundation, registry, redis);
    address.complete(grpc.address());
    shutdown.first("health", remaining -> announceEnd(grpc));
    CompletableFuture<Void> joined = redis.join().toCompletableFuture();
    var unused = joined.whenComplete((done, failure) -> leaveIfTwin(failure));
    health.serving(period -> redis.connection().seenWithin(period) && isDone(joined));
    schedule("health", GatewayHealth.TICK, () -> health.tick(grpc.endpoint()::setServing));
    grpc.tls().ifPresent(tls -> schedule("TLS reload", TLS_CHECK, tls::reload));
    ServerLog.started(self, grpc.address(), grpc.tls().isPresent());
    return new Parts(self, redis.directory()::live, redis.bus(), local, config.adminTimeout());
  }

  private static boolean isDone(CompletableFuture<Void> stage) {
    return stage.isDone() && !stage.isCompletedExceptionally();
  }

  /** Stops a gateway whose id is another's, which is found out only when Redis answers. */
  private void leaveIfTwin(@Nullable Throwable failure) {
    if (failure != null) {
      Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
      ServerLog.startFailed(String.valueOf(cause == null ? failure : cause.getMessage()));
      container.timers().execute(this::stop);
    }
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
