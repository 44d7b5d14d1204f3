package dev.holdfast.gateway.server;

import dev.holdfast.gateway.cluster.GatewayDirectory;
import dev.holdfast.gateway.cluster.PeerHandler;
import dev.holdfast.gateway.cluster.Presence;
import dev.holdfast.gateway.cluster.RedisPeerBus;
import dev.holdfast.gateway.config.GatewayConfig;
import dev.holdfast.gateway.lock.IdentityLock;
import dev.holdfast.gateway.lock.LeaseRefresher;
import dev.holdfast.gateway.lock.RedissonIdentityLock;
import dev.holdfast.gateway.redis.RedisConnection;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** Everything that goes through Redis: the lock and its leases, the other gateways. */
final class RedisSide {
  private final RedisConnection connection;
  private final IdentityLock lock;
  private final LeaseRefresher refresher;
  private final RedisPeerBus bus;
  private final GatewayDirectory directory;
  private final CompletableFuture<Void> subscribed;
  private volatile CompletableFuture<Void> registered = new CompletableFuture<>();

  private RedisSide(
      Foundation foundation,
      RedisConnection connection,
      PeerHandler local,
      Supplier<Presence> presence) {
    GatewayConfig config = foundation.config();
    ScheduledExecutorService timers = foundation.container().timers();
    this.connection = connection;
    this.lock =
        new RedissonIdentityLock(
            connection, foundation.self(), config.lock().ttl(), System::nanoTime);
    this.refresher =
        new LeaseRefresher(
            lock, config.lock(), timers, System::nanoTime, foundation.container().meters());
    this.bus = new RedisPeerBus(connection, foundation.self(), local, timers, System::nanoTime);
    this.directory =
        new GatewayDirectory(connection, foundation.self(), presence, timers, System::nanoTime);
    foundation.shutdown().first("lock refresh", remaining -> refresher.close());
    foundation.shutdown().first("peer bus", remaining -> bus.close());
    foundation.shutdown().first("directory", remaining -> leave(directory, remaining));
    refresher.start();
    this.subscribed = bus.start().toCompletableFuture();
  }

  /**
   * Connects to Redis, or keeps trying to; the gateway is not listed yet.
   *
   * @param local answers other gateways
   * @param presence what they are told of this one, asked only after {@link #register}
   */
  static RedisSide open(Foundation foundation, PeerHandler local, Supplier<Presence> presence) {
    RedisConnection connection =
        RedisConnection.open(
            foundation.config().redis(), foundation.container().timers(), System::nanoTime);
    foundation.shutdown().first("Redis", remaining -> connection.close());
    return new RedisSide(foundation, connection, local, presence);
  }

  /**
   * Lists this gateway among the live ones from now on.
   *
   * @return fails with {@link dev.holdfast.gateway.config.ConfigException} if another live gateway
   *     has its id
   */
  CompletionStage<Void> register() {
    registered = directory.start().toCompletableFuture();
    return registered;
  }

  RedisConnection connection() {
    return connection;
  }

  IdentityLock lock() {
    return lock;
  }

  LeaseRefresher refresher() {
    return refresher;
  }

  RedisPeerBus bus() {
    return bus;
  }

  GatewayDirectory directory() {
    return directory;
  }

  /** Says whether other gateways know of this one and can ask it. */
  boolean joined() {
    return succeeded(registered) && succeeded(subscribed);
  }

  private static boolean succeeded(CompletableFuture<Void> step) {
    return step.isDone() && !step.isCompletedExceptionally();
  }

  private static void leave(GatewayDirectory directory, Duration remaining) throws Exception {
    CompletionStage<Void> left = directory.leave();
    left.toCompletableFuture().get(remaining.toMillis(), TimeUnit.MILLISECONDS);
  }
}
