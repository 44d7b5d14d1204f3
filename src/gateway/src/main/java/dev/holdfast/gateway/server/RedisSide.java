package dev.holdfast.gateway.server;

import dev.holdfast.gateway.cluster.GatewayRecord;
import dev.holdfast.gateway.cluster.PeerBus;
import dev.holdfast.gateway.cluster.PeerHandler;
import dev.holdfast.gateway.config.GatewayConfig;
import dev.holdfast.gateway.connection.LeaseKeeper;
import dev.holdfast.gateway.error.GatewayError;
import dev.holdfast.gateway.error.GatewayException;
import dev.holdfast.gateway.lock.IdentityLock;
import dev.holdfast.gateway.lock.LeaseRefresher;
import dev.holdfast.gateway.lock.RedissonIdentityLock;
import dev.holdfast.gateway.redis.RedisConnection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/** Everything that goes through Redis: the lock and its leases, the other gateways. */
record RedisSide(
    RedisConnection connection,
    IdentityLock lock,
    LeaseKeeper leases,
    PeerBus bus,
    Supplier<CompletionStage<List<GatewayRecord>>> liveGateways) {
  static RedisSide open(Foundation foundation, PeerHandler local) {
    GatewayConfig config = foundation.config();
    RedisConnection connection =
        RedisConnection.open(config.redis(), foundation.container().timers(), System::nanoTime);
    foundation.shutdown().first("Redis", remaining -> connection.close());
    IdentityLock lock =
        new RedissonIdentityLock(
            connection, foundation.self(), config.lock().ttl(), System::nanoTime);
    LeaseRefresher refresher =
        new LeaseRefresher(
            lock,
            config.lock(),
            foundation.container().timers(),
            System::nanoTime,
            foundation.container().meters());
    foundation.shutdown().first("lock refresh", remaining -> refresher.close());
    refresher.start();
    return new RedisSide(
        connection,
        lock,
        (key, sentNanos, listener) -> refresher.hold(key, sentNanos, listener)::end,
        (id, epoch, request, timeout) ->
            CompletableFuture.failedStage(
                new GatewayException(GatewayError.GATEWAY_UNREACHABLE, "no bus " + local)),
        () -> CompletableFuture.completedStage(List.of()));
  }
}
