package dev.holdfast.gateway.server;

import dev.holdfast.gateway.cluster.GatewayDirectory;
import dev.holdfast.gateway.cluster.PeerHandler;
import dev.holdfast.gateway.cluster.Presence;
import dev.holdfast.gateway.cluster.RedisPeerBus;
import dev.holdfast.gateway.cluster.Self;
import dev.holdfast.gateway.config.GatewayConfig;
import dev.holdfast.gateway.connection.LeaseKeeper;
import dev.holdfast.gateway.lock.IdentityLock;
import dev.holdfast.gateway.lock.LeaseRefresher;
import dev.holdfast.gateway.lock.RedissonIdentityLock;
import dev.holdfast.gateway.redis.RedisConnection;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** Everything that goes through Redis: the lock and its leases, the other gateways. */
record RedisSide(
    RedisConnection connection,
    IdentityLock lock,
    LeaseKeeper leases,
    RedisPeerBus bus,
    GatewayDirectory directory) {
  /**
   * Connects; nothing is asked of Redis, and no other gateway heard, before {@link #join}.
   *
   * @param local answers other gateways
   * @param presence what this gateway tells of itself once it has joined
   */
  static RedisSide open(Foundation foundation, PeerHandler local, Supplier<Presence> presence) {
    Self self = foundation.self();
    ScheduledExecutorService timers = foundation.container().timers();
    GatewayConfig config = foundation.config();
    Shutdown shutdown = foundation.shutdown();
    RedisConnection connection = RedisConnection.open(config.redis(), timers, System::nanoTime);
    shutdown.first("Redis", remaining -> connection.close());
    RedisPeerBus bus = new RedisPeerBus(connection, self, local, timers, System::nanoTime);
    shutdown.first("peer bus", remaining -> bus.close());
    GatewayDirectory directory =
        new GatewayDirectory(connection, self, presence, timers, System::nanoTime);
    shutdown.first(
        "gateway directory",
        remaining ->
            directory
                .leave()
                .toCompletableFuture()
                .get(remaining.toMillis(), TimeUnit.MILLISECONDS));
    IdentityLock lock =
        new RedissonIdentityLock(connection, self, config.lock().ttl(), System::nanoTime);
    return new RedisSide(connection, lock, leases(foundation, lock), bus, directory);
  }

  private static LeaseKeeper leases(Foundation foundation, IdentityLock lock) {
    LeaseRefresher refresher =
        new LeaseRefresher(
            lock,
            foundation.config().lock(),
            foundation.container().timers(),
            System::nanoTime,
            foundation.container().meters());
    foundation.shutdown().first("lock refresh", remaining -> refresher.close());
    refresher.start();
    return (key, sentNanos, listener) -> refresher.hold(key, sentNanos, listener)::end;
  }

  /**
   * Becomes one of the gateways of the deployment.
   *
   * @return completes when others can reach this gateway, however long Redis is down; fails with
   *     {@link dev.holdfast.gateway.config.ConfigException} if another live gateway has its id
   */
  CompletionStage<Void> join() {
    return bus.start().thenCompose(heard -> directory.start());
  }
}
