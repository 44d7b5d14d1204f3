package dev.holdfast.gateway.cluster;

import dev.holdfast.gateway.redis.RedisConnection;
import dev.holdfast.protocol.peer.v1.PeerReply;
import dev.holdfast.protocol.peer.v1.PeerRequest;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.redisson.client.codec.ByteArrayCodec;

/**
 * The peer bus over Redis' publish and subscribe, with one channel for each boot of a gateway.
 *
 * <p>Thread-safe. The client subscribes again by itself whenever Redis was away; what was published
 * meanwhile is lost, and its requests fail.
 */
public final class RedisPeerBus implements PeerBus, AutoCloseable {
  private static final Duration TICK = Duration.ofMillis(100);

  private final RedisConnection redis;
  private final Self self;
  private final ScheduledExecutorService timers;
  private final PeerExchange exchange;
  private final CompletableFuture<Void> subscribed = new CompletableFuture<>();
  private final AtomicBoolean subscribing = new AtomicBoolean();
  private volatile @Nullable Future<?> ticks;
  private volatile boolean closed;

  /**
   * Makes a bus that hears nothing before {@link #start}.
   *
   * @param ticker the monotonic clock, in nanoseconds
   */
  public RedisPeerBus(
      RedisConnection redis,
      Self self,
      PeerHandler handler,
      ScheduledExecutorService timers,
      LongSupplier ticker) {
    this.redis = redis;
    this.self = self;
    this.timers = timers;
    this.exchange = new PeerExchange(self, this::publish, handler, PeerLimits.DEFAULT, ticker);
  }

  /**
   * Begins to hear other gateways. To be called once.
   *
   * @return completes when it does, however long Redis is down
   */
  public CompletionStage<Void> start() {
    ticks = timers.scheduleWithFixedDelay(this::tick, 0, TICK.toMillis(), TimeUnit.MILLISECONDS);
    return subscribed.minimalCompletionStage();
  }

  @Override
  public CompletionStage<PeerReply> ask(
      String gatewayId, String epoch, PeerRequest request, Duration timeout) {
    return exchange.ask(gatewayId, epoch, request, timeout);
  }

  /** Stops to hear others, and fails what is not answered. */
  @Override
  public void close() {
    closed = true;
    Future<?> scheduled = ticks;
    if (scheduled != null) {
      scheduled.cancel(false);
    }
    exchange.close();
    var unused =
        redis.call(
            client ->
                client
                    .getTopic(channel(self.id(), self.epoch()), ByteArrayCodec.INSTANCE)
                    .removeAllListenersAsync());
  }

  private void tick() {
    try {
      if (closed) {
        return;
      }
      exchange.expire();
      if (!subscribed.isDone() && subscribing.compareAndSet(false, true)) {
        subscribe();
      }
    } catch (RuntimeException e) { // A throw would end the schedule.
      ClusterLog.defect("the peer bus", e);
    }
  }

  private void subscribe() {
    redis
        .connected()
        .thenCompose(
            connected ->
                redis.call(
                    client ->
                        client
                            .getTopic(channel(self.id(), self.epoch()), ByteArrayCodec.INSTANCE)
                            .addListenerAsync(
                                byte[].class, (channel, batch) -> exchange.receive(batch))))
        .whenComplete(
            (listener, failure) -> {
              if (failure == null) {
                subscribed.complete(null);
              } else {
                ClusterLog.subscribeFailed(String.valueOf(failure.getMessage()));
              }
              subscribing.set(false);
            });
  }

  private CompletionStage<Boolean> publish(PeerAddress to, byte[] batch) {
    return redis
        .call(
            client ->
                client
                    .getTopic(channel(to.gatewayId(), to.epoch()), ByteArrayCodec.INSTANCE)
                    .publishAsync(batch))
        .thenApply(receivers -> receivers > 0 || redis.cluster()); // A Cluster counts one node's.
  }

  private static String channel(String gatewayId, String epoch) {
    return "holdfast:peer:{" + gatewayId + "}:" + epoch;
  }
}
