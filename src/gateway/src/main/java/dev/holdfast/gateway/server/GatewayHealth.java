package dev.holdfast.gateway.server;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import java.util.function.Predicate;

/**
 * The one truth about the gateway's health, for {@code /health} and {@code grpc.health.v1}.
 *
 * <p>Started: all parts run. Ready: serving, known to the other gateways, and Redis answered
 * lately. Live: the timer ticks; Redis has no say in it, because a restart would not bring it back.
 * Thread-safe.
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
  private volatile Predicate<Duration> redisSeenWithin = period -> false;
  private volatile BooleanSupplier joined = () -> false;
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
    return phase == Phase.SERVING && redisAnswers() && joined();
  }

  /** Says whether the other gateways know of this one. */
  public boolean joined() {
    return joined.getAsBoolean();
  }

  /** Says whether Redis answered lately. */
  public boolean redisAnswers() {
    return redisSeenWithin.test(REDIS_SILENCE);
  }

  /** Says whether the process works at all. */
  public boolean live() {
    return tickerNanos.getAsLong() - tickedNanos <= TICK_SILENCE.toNanos();
  }

  /**
   * To be called when every part has been started.
   *
   * @param seenWithin says whether Redis answered within a period
   * @param clusterJoined says whether the other gateways know of this one
   */
  void serving(Predicate<Duration> seenWithin, BooleanSupplier clusterJoined) {
    redisSeenWithin = seenWithin;
    joined = clusterJoined;
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
}
