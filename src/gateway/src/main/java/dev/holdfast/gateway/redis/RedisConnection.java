package dev.holdfast.gateway.redis;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.holdfast.gateway.config.ConfigException;
import dev.holdfast.gateway.config.GatewayConfig;
import dev.holdfast.gateway.error.GatewayError;
import dev.holdfast.gateway.error.GatewayException;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.netty.util.concurrent.ScheduledFuture;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.redisson.api.RScript;
import org.redisson.api.RedissonClient;
import org.redisson.client.RedisNoScriptException;
import org.redisson.client.codec.StringCodec;

/**
 * The gateway's connection to Redis: one server, Sentinel or Cluster, or the embedded server.
 *
 * <p>Opening it does not wait for Redis: the client is made, and the connection tried, on a timer
 * thread until it stands, whatever order things are started in, and until then every call fails at
 * once. Calls never block, and each has a deadline that covers the client's own retries. They fail
 * with {@link GatewayException} {@code LOCK_STORE_UNAVAILABLE}, and then may or may not have taken
 * effect.
 *
 * <p>Thread-safe. Stages complete on an event loop of the Redis client, or on the caller's thread.
 */
public final class RedisConnection implements AutoCloseable {
  private static final int EVENT_LOOPS = 2;
  private static final Duration PULSE = Duration.ofSeconds(1);
  private static final Duration RETRY_AFTER = Duration.ofSeconds(1);
  private static final long CLOSE_SECONDS = 2;
  private static final RedisScript PING = RedisScript.load(RedisConnection.class, "ping.lua");

  private final EventLoopGroup eventLoops;
  private final RedissonSettings settings;
  private final Duration commandTimeout;
  private final LongSupplier ticker;
  private final Optional<EmbeddedRedis> embedded;
  private final CompletableFuture<RedissonClient> connected = new CompletableFuture<>();
  private final Object clientLock = new Object();

  @GuardedBy("clientLock")
  private @Nullable RedissonClient client;

  private volatile long lastSeenNanos;
  private volatile boolean answering;
  private volatile boolean closed;
  private volatile Optional<Future<?>> pulses = Optional.empty();
  private String lastFailure = ""; // Touched by connect() only, whose calls do not overlap.

  private RedisConnection(
      GatewayConfig.Redis settings, LongSupplier ticker, Optional<EmbeddedRedis> embedded) {
    this.commandTimeout = settings.commandTimeout();
    this.ticker = ticker;
    this.embedded = embedded;
    this.eventLoops =
        new MultiThreadIoEventLoopGroup(
            EVENT_LOOPS,
            new DefaultThreadFactory("holdfast-redis", true),
            NioIoHandler.newFactory());
    try {
      this.settings = RedissonSettings.of(settings, eventLoops);
    } catch (ConfigException e) {
      closeServers();
      throw e;
    }
  }

  /**
   * Starts the embedded server if that is configured, and begins to connect.
   *
   * @param timers runs the once-a-second pulse, which may block for some seconds while there is no
   *     connection
   * @param ticker the monotonic clock, in nanoseconds
   * @throws ConfigException if the configuration cannot be read; not if Redis is down
   */
  public static RedisConnection open(
      GatewayConfig.Redis settings, ScheduledExecutorService timers, LongSupplier ticker) {
    Optional<EmbeddedRedis> embedded =
        settings.embedded() ? Optional.of(EmbeddedRedis.start()) : Optional.empty();
    GatewayConfig.Redis effective =
        embedded.map(server -> withUrl(settings, server.url())).orElse(settings);
    RedisConnection connection = new RedisConnection(effective, ticker, embedded);
    connection.pulses =
        Optional.of(
            timers.scheduleWithFixedDelay(
                connection::pulse, 0, PULSE.toMillis(), TimeUnit.MILLISECONDS));
    return connection;
  }

  private static GatewayConfig.Redis withUrl(GatewayConfig.Redis settings, String url) {
    return new GatewayConfig.Redis(
        Optional.of(url), settings.configFile(), settings.commandTimeout());
  }

  /** Returns the URL of the embedded server; empty if Redis is not embedded. */
  public Optional<String> embeddedUrl() {
    return embedded.map(EmbeddedRedis::url);
  }

  /** Says whether Redis answered anything within the last {@code period}. */
  public boolean seenWithin(Duration period) {
    return isConnected() && ticker.getAsLong() - lastSeenNanos <= period.toNanos();
  }

  /** Says whether keys of different hash slots must go in different scripts. */
  public boolean cluster() {
    return settings.config().isClusterConfig();
  }

  /** Returns how long a call may take in all. */
  public Duration commandTimeout() {
    return commandTimeout;
  }

  /**
   * Completes with the client once the connection stands for the first time; fails with {@link
   * ConfigException} if the settings contradict each other.
   */
  public CompletionStage<RedissonClient> connected() {
    return connected.minimalCompletionStage();
  }

  /** Runs a script with the command time-out as its deadline. */
  public CompletionStage<List<Object>> run(
      RedisScript script, List<Object> keys, List<Object> arguments) {
    return run(script, keys, arguments, ticker.getAsLong() + commandTimeout.toNanos());
  }

  /**
   * Runs a script by its digest, and by its source if the server does not know the digest.
   *
   * @param keys at least one; on a Cluster all of one slot
   * @param deadlineNanos by the monotonic clock
   */
  public CompletionStage<List<Object>> run(
      RedisScript script, List<Object> keys, List<Object> arguments, long deadlineNanos) {
    Object[] values = arguments.toArray();
    return this.<List<Object>>call(
            deadlineNanos,
            client ->
                client
                    .getScript(StringCodec.INSTANCE)
                    .evalShaAsync(
                        RScript.Mode.READ_WRITE,
                        script.sha1(),
                        RScript.ReturnType.LIST,
                        keys,
                        values))
        .exceptionallyCompose(
            failure ->
                unwrap(failure) instanceof RedisNoScriptException
                    ? eval(script, keys, values, deadlineNanos)
                    : CompletableFuture.failedFuture(unwrap(failure)));
  }

  private CompletionStage<List<Object>> eval(
      RedisScript script, List<Object> keys, Object[] values, long deadlineNanos) {
    return call(
        deadlineNanos,
        client ->
            client
                .getScript(StringCodec.INSTANCE)
                .evalAsync(
                    RScript.Mode.READ_WRITE,
                    script.source(),
                    RScript.ReturnType.LIST,
                    keys,
                    values));
  }

  /** Makes any other call, with the command time-out as its deadline. */
  public <T> CompletionStage<T> call(Function<RedissonClient, CompletionStage<T>> operation) {
    return call(ticker.getAsLong() + commandTimeout.toNanos(), operation);
  }

  private <T> CompletableFuture<T> call(
      long deadlineNanos, Function<RedissonClient, CompletionStage<T>> operation) {
    long left = deadlineNanos - ticker.getAsLong();
    if (!isConnected() || closed || left <= 0) {
      return CompletableFuture.failedFuture(
          unavailable(left <= 0 ? "did not answer in time" : "is not connected"));
    }
    CompletableFuture<T> result = new CompletableFuture<>();
    try {
      CompletionStage<T> sent = operation.apply(connected.join());
      ScheduledFuture<?> deadline =
          eventLoops.schedule(() -> expire(result, sent), left, TimeUnit.NANOSECONDS);
      sent.whenComplete(
          (value, failure) -> {
            deadline.cancel(false);
            complete(result, value, failure);
          });
    } catch (RuntimeException e) { // The client is shutting down, or its defect.
      result.completeExceptionally(unavailable("could not be asked: " + e));
    }
    return result;
  }

  private static void expire(CompletableFuture<?> result, CompletionStage<?> sent) {
    if (result.completeExceptionally(unavailable("did not answer in time"))) {
      sent.toCompletableFuture().cancel(false); // Ends the client's retries.
    }
  }

  private <T> void complete(CompletableFuture<T> result, T value, @Nullable Throwable failure) {
    if (failure == null) {
      lastSeenNanos = ticker.getAsLong();
      result.complete(value);
    } else if (unwrap(failure) instanceof RedisNoScriptException noScript) {
      result.completeExceptionally(noScript);
    } else {
      result.completeExceptionally(
          unavailable("refused (" + unwrap(failure).getClass().getSimpleName() + ")"));
    }
  }

  private static GatewayException unavailable(String what) {
    return new GatewayException(
        GatewayError.LOCK_STORE_UNAVAILABLE, "Redis " + what + "; try again.", RETRY_AFTER);
  }

  private static Throwable unwrap(Throwable failure) {
    return failure instanceof CompletionException && failure.getCause() != null
        ? failure.getCause()
        : failure;
  }

  private void pulse() {
    try {
      if (closed) {
        return;
      }
      if (isConnected()) {
        ping();
      } else if (!connected.isDone()) {
        connect();
      }
    } catch (RuntimeException e) { // A throw would end the schedule.
      RedisLog.silent(settings.target(), e.toString());
    }
  }

  private void ping() {
    run(PING, List.of("holdfast:ping"), List.of())
        .whenComplete(
            (pong, failure) -> {
              if (failure == null && !answering) {
                RedisLog.answersAgain(settings.target());
              } else if (failure != null && answering && !closed) {
                RedisLog.silent(settings.target(), String.valueOf(unwrap(failure).getMessage()));
              }
              answering = failure == null;
            });
  }

  private boolean isConnected() {
    return connected.isDone() && !connected.isCompletedExceptionally();
  }

  private void connect() {
    try {
      RedissonClient made = client();
      if (made == null) {
        return;
      }
      made.getScript(StringCodec.INSTANCE)
          .eval(RScript.Mode.READ_WRITE, PING.source(), RScript.ReturnType.LIST);
      lastSeenNanos = ticker.getAsLong();
      answering = true;
      RedisLog.connected(settings.target());
      connected.complete(made);
    } catch (ConfigException e) {
      connected.completeExceptionally(e);
    } catch (RuntimeException e) {
      String cause = rootMessage(e);
      if (!closed && !cause.equals(lastFailure)) {
        RedisLog.notReachable(settings.target(), settings.key(), cause);
        lastFailure = cause;
      }
    }
  }

  /** Returns the client, made by the first call; null once the connection is closed. */
  private @Nullable RedissonClient client() {
    synchronized (clientLock) {
      if (closed) {
        return null;
      }
      if (client == null) {
        client = settings.create();
      }
      return client;
    }
  }

  private static String rootMessage(Throwable failure) {
    Throwable root = failure;
    while (root.getCause() != null) {
      root = root.getCause();
    }
    return root.getClass().getSimpleName() + ": " + root.getMessage();
  }

  /** Ends the connection, then the embedded server; calls under way fail. */
  @Override
  public void close() {
    pulses.ifPresent(schedule -> schedule.cancel(false));
    RedissonClient made;
    synchronized (clientLock) {
      closed = true;
      made = client;
    }
    if (made != null) {
      made.shutdown(0, CLOSE_SECONDS, TimeUnit.SECONDS);
    }
    closeServers();
  }

  private void closeServers() {
    eventLoops
        .shutdownGracefully(0, CLOSE_SECONDS, TimeUnit.SECONDS)
        .awaitUninterruptibly(CLOSE_SECONDS, TimeUnit.SECONDS);
    embedded.ifPresent(EmbeddedRedis::close);
  }
}
