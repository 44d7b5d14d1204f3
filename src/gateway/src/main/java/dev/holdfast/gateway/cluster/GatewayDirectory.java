package dev.holdfast.gateway.cluster;

import dev.holdfast.gateway.config.ConfigException;
import dev.holdfast.gateway.config.ConfigKeys;
import dev.holdfast.gateway.redis.RedisConnection;
import dev.holdfast.gateway.redis.RedisScript;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The live gateways of the deployment: each keeps a short lease in Redis under its id and epoch.
 *
 * <p>Thread-safe. Never blocks.
 */
public final class GatewayDirectory implements AutoCloseable {
  // Twins. The id is taken only if no other epoch holds it. A gateway that restarts after a crash
  // finds its own old epoch for at most one lease, so it keeps trying for somewhat longer than
  // that;
  // whoever still extends the record by then is alive, and has the same id by mistake.
  //
  // Expiry. A lease is extended only while it exists under this epoch. After an outage of Redis
  // that
  // outlasted it, this gateway registers again, if its id is still free. It keeps its epoch, which
  // names the boot and the channel of its peer bus: nobody takes a lock over because an epoch is
  // gone. Whoever builds that must give a gateway a new epoch here, before it serves again.

  /** How long a gateway counts as live without an extension. */
  static final Duration LEASE = Duration.ofSeconds(5);

  private static final Duration EXTEND_INTERVAL = Duration.ofMillis(1500);
  private static final Duration TWIN_PATIENCE = LEASE.plus(EXTEND_INTERVAL);
  private static final String INDEX = "holdfast:gateways";

  private final RedisConnection redis;
  private final Self self;
  private final Supplier<Presence> presence;
  private final ScheduledExecutorService timers;
  private final LongSupplier ticker;
  private final RedisScript register = RedisScript.load(GatewayDirectory.class, "register.lua");
  private final RedisScript extend = RedisScript.load(GatewayDirectory.class, "extend.lua");
  private final RedisScript deregister = RedisScript.load(GatewayDirectory.class, "deregister.lua");
  private final RedisScript read = RedisScript.load(GatewayDirectory.class, "read.lua");
  private final CompletableFuture<Void> registered = new CompletableFuture<>();
  private final Set<String> unreadable = ConcurrentHashMap.newKeySet(); // Logged once each.
  private final AtomicBoolean underWay = new AtomicBoolean();
  private volatile boolean holding;
  private volatile boolean closed;
  private volatile @Nullable Long twinSeenNanos;
  private volatile @Nullable Future<?> beats;

  /**
   * Makes a directory that lists, but does not register before {@link #start}.
   *
   * @param presence asked at every extension; must not block
   * @param ticker the monotonic clock, in nanoseconds
   */
  public GatewayDirectory(
      RedisConnection redis,
      Self self,
      Supplier<Presence> presence,
      ScheduledExecutorService timers,
      LongSupplier ticker) {
    this.redis = redis;
    this.self = self;
    this.presence = presence;
    this.timers = timers;
    this.ticker = ticker;
  }

  /**
   * Registers this gateway, and extends its lease from then on. To be called once.
   *
   * @return completes when it is registered, however long Redis is down; fails with {@link
   *     ConfigException} if another live gateway has its id, or if Redis can never be connected to
   */
  public CompletionStage<Void> start() {
    long interval = EXTEND_INTERVAL.toMillis();
    beats = timers.scheduleWithFixedDelay(this::beat, interval, interval, TimeUnit.MILLISECONDS);
    redis
        .connected()
        .whenComplete(
            (client, failure) -> {
              if (failure == null) {
                beat();
              } else {
                registered.completeExceptionally(unwrap(failure));
              }
            });
    return registered.minimalCompletionStage();
  }

  /** Lists the live gateways, by id. */
  public CompletionStage<List<GatewayRecord>> live() {
    return redis
        .<Collection<String>>call(
            client -> client.<String>getSet(INDEX).readAllAsync().thenApply(ids -> ids))
        .thenCompose(this::readAll);
  }

  /** Takes this gateway out of the directory; completes normally, also if Redis is gone. */
  public CompletionStage<Void> leave() {
    stopBeats();
    return redis
        .run(deregister, List.of(key(self.id())), List.of(self.epoch()))
        .handle((reply, failure) -> null);
  }

  /** Stops extending; the lease expires by itself unless {@link #leave} was called. */
  @Override
  public void close() {
    stopBeats();
  }

  private void stopBeats() {
    closed = true;
    Future<?> scheduled = beats;
    if (scheduled != null) {
      scheduled.cancel(false);
    }
  }

  private void beat() {
    try {
      if (closed || registered.isCompletedExceptionally() || !underWay.compareAndSet(false, true)) {
        return;
      }
      (holding ? extendLease() : registerAnew())
          .whenComplete((done, failure) -> underWay.set(false));
    } catch (RuntimeException e) { // A throw would end the schedule.
      underWay.set(false);
      ClusterLog.defect("the gateway lease", e);
    }
  }

  private CompletionStage<?> extendLease() {
    return runWithValue(extend)
        .thenAccept(
            reply -> {
              holding = isOne(reply);
              if (!holding) {
                ClusterLog.leaseExpired(self.id());
              }
            });
  }

  private CompletionStage<?> registerAnew() {
    return runWithValue(register)
        .thenAccept(
            reply -> {
              if (isOne(reply)) {
                holding = true;
                twinSeenNanos = null;
                ClusterLog.registered(self.id(), self.epoch());
                registered.complete(null);
              } else {
                twinSeen((String) reply.get(1));
              }
            });
  }

  /** Runs a script with this gateway's value, after its id was put into the index. */
  private CompletionStage<List<Object>> runWithValue(RedisScript script) {
    String value = GatewayValue.write(self, presence.get());
    return redis
        .<Boolean>call(client -> client.<String>getSet(INDEX).addAsync(self.id()))
        .thenCompose(
            added ->
                redis.run(
                    script,
                    List.of(key(self.id())),
                    List.of(self.epoch(), value, Long.toString(LEASE.toMillis()))));
  }

  private void twinSeen(String value) {
    long now = ticker.getAsLong();
    Long firstSeen = twinSeenNanos;
    if (firstSeen == null) {
      twinSeenNanos = now;
    } else if (now - firstSeen > TWIN_PATIENCE.toNanos()) {
      twinSeenNanos = now;
      String message =
          "%s is '%s', but another live gateway has that id (%s). Give each gateway its own."
              .formatted(
                  ConfigKeys.GATEWAY_ID_KEY.name(),
                  self.id(),
                  parse(self.id(), value)
                      .map(
                          twin -> "at %s, since %s".formatted(twin.grpcAddress(), twin.startedAt()))
                      .orElse("of another version"));
      ClusterLog.idTaken(message);
      registered.completeExceptionally(new ConfigException(message));
    }
  }

  private CompletionStage<List<GatewayRecord>> readAll(Collection<String> ids) {
    List<CompletableFuture<Optional<GatewayRecord>>> reads = new ArrayList<>();
    for (String id : ids) {
      reads.add(
          redis
              .run(read, List.of(key(id)), List.of())
              .thenApply(reply -> present(id, (String) reply.get(0)))
              .toCompletableFuture());
    }
    return CompletableFuture.allOf(reads.toArray(CompletableFuture[]::new))
        .thenApply(
            done ->
                reads.stream()
                    .flatMap(found -> found.join().stream())
                    .sorted(Comparator.comparing(GatewayRecord::id))
                    .toList());
  }

  private Optional<GatewayRecord> present(String id, String value) {
    if (!value.isEmpty()) {
      return parse(id, value);
    }
    // A gateway that comes back in this moment puts its id in again with its next extension.
    var unused = redis.<Boolean>call(client -> client.<String>getSet(INDEX).removeAsync(id));
    return Optional.empty();
  }

  private Optional<GatewayRecord> parse(String id, String value) {
    try {
      return Optional.of(GatewayValue.read(id, value));
    } catch (IllegalArgumentException e) {
      if (unreadable.add(id)) {
        ClusterLog.unreadableRecord(id, String.valueOf(e.getMessage()));
      }
      return Optional.empty();
    }
  }

  private static Throwable unwrap(Throwable failure) {
    return failure instanceof CompletionException && failure.getCause() != null
        ? failure.getCause()
        : failure;
  }

  private static boolean isOne(List<Object> reply) {
    return (Long) reply.get(0) == 1;
  }

  private static String key(String id) {
    return "holdfast:gateway:{" + id + "}";
  }
}
