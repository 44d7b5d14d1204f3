package dev.holdfast.gateway.server;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;

/**
 * The one truth about the gateway's health, for {@code /health} and {@code grpc.health.v1}.
 *
 * <p>Started: all parts run. Ready: serving, and Redis answered lately. Live: the timer ticks;
 * Redis has no say in it, because a restart would not bring it back. Thread-safe.
 */
public final class GatewayHealth {
  /** How long Redis may be silent before the gateway is no longer ready. */
  static final Duration REDIS_SILENCE = Duration.ofSeconds(10);

  /** How long the timer may be silent before the gateway is no longer live. */
  static final Duration TICK_SILENCE = Duration.ofSeconds(30);

  /** How often {@link #tick} is to be called. */
  static final Duration TICK = Duration.ofSeconds(1);

  /** The phases of a gateway's life, in their order. */
  public enum Phase {
    STARTING,
    SERVING,
    DRAINING
  }

  private final LongSupplier tickerNanos;
  private final AtomicBoolean reportedReady = new AtomicBoolean();
  private volatile Phase phase = Phase.STARTING;
  private volatile boolean redisWasSeen;
  private volatile long redisSeenNanos;
  private volatile long tickedNanos;

  public GatewayHealth(LongSupplier tickerNanos) {
    this.tickerNanos = tickerNanos;
    this.tickedNanos = tickerNanos.getAsLong();
  }

  /** Returns the phase. */
  public Phase phase() {
    return phase;
  }

  /** Says whether every part has been started. */
  public boolean started() {
    return phase != Phase.STARTING;
  }

  /** Says whether clients should come here. */
  public boolean ready() {
    return phase == Phase.SERVING && redisAnswers();
  }

  /** Says whether Redis answered lately. */
  public boolean redisAnswers() {
    return redisWasSeen && !olderThan(redisSeenNanos, REDIS_SILENCE);
  }

  /** Says whether the process works at all. */
  public boolean live() {
    return !olderThan(tickedNanos, TICK_SILENCE);
  }

  /** To be called when Redis has answered. */
  public void redisSeen() {
    redisSeenNanos = tickerNanos.getAsLong();
    redisWasSeen = true;
  }

  /** To be called when every part has been started. */
  void serving() {
    phase = Phase.SERVING;
  }

  /** To be called first of all when the gateway stops; it never serves again. */
  void draining() {
    phase = Phase.DRAINING;
  }

  /**
   * To be called by a timer, never concurrently.
   *
   * @param listener hears whether the gateway is ready, whenever that has changed
   */
  void tick(ReadinessListener listener) {
    tickedNanos = tickerNanos.getAsLong();
    boolean ready = ready();
    if (reportedReady.getAndSet(ready) != ready) {
      listener.ready(ready);
    }
  }

  /** Hears whether the gateway is ready. */
  interface ReadinessListener {
    void ready(boolean ready);
  }

  private boolean olderThan(long sinceNanos, Duration age) {
    return tickerNanos.getAsLong() - sinceNanos - age.toNanos() > 0;
  }
}
