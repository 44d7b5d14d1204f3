package dev.holdfast.gateway.connection;

import dev.holdfast.gateway.error.GatewayError;
import dev.holdfast.gateway.telemetry.Meter;
import dev.holdfast.gateway.telemetry.Meters;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;

/** What connections count. Thread-safe. */
final class ConnectionMeters {
  private final Meters.Counter held;
  private final Meters.Counter refused;
  private final Meters.Counter failed;
  private final Meters.Counter resumes;
  private final Meters.Counter takeovers;
  private final Meters.Timer cleanup;
  private final Map<GatewayError, Meters.Counter> refusals = new EnumMap<>(GatewayError.class);
  private final Map<CloseCause, Meters.Counter> closes = new EnumMap<>(CloseCause.class);
  private final Map<CloseCause, Meters.Counter> losses = new EnumMap<>(CloseCause.class);

  ConnectionMeters(Meters meters) {
    held = meters.counter(Meter.CONNECTION_OPENS, "held");
    refused = meters.counter(Meter.CONNECTION_OPENS, "refused");
    failed = meters.counter(Meter.CONNECTION_OPENS, "failed");
    resumes = meters.counter(Meter.CONNECTION_RESUMES, "");
    takeovers = meters.counter(Meter.CONNECTION_TAKEOVERS, "");
    cleanup = meters.timer(Meter.CLEANUP_DURATION);
    for (GatewayError error : GatewayError.values()) {
      refusals.put(error, meters.counter(Meter.CONNECTION_REFUSALS, error.name()));
    }
    for (CloseCause cause : CloseCause.values()) {
      closes.put(cause, meters.counter(Meter.CONNECTION_CLOSES, cause.tag()));
      if (cause.isLoss()) {
        losses.put(cause, meters.counter(Meter.LOCKS_LOST, cause.tag()));
      }
    }
  }

  void held(boolean resumed) {
    held.add(1);
    if (resumed) {
      resumes.add(1);
    }
  }

  /** Counts a stream that ended before it held its identity. */
  void notHeld(Closure closure) {
    boolean unknown =
        closure.cause() == CloseCause.ACQUIRE_FAILED || closure.cause() == CloseCause.INTERNAL;
    if (unknown || closure.error().isEmpty()) {
      failed.add(1);
    } else {
      refused.add(1);
    }
    closure.error().ifPresent(e -> addTo(refusals, e.error()));
  }

  /** Counts the end of a connection that held its identity. */
  void closed(CloseCause cause) {
    addTo(closes, cause);
    addTo(losses, cause);
    if (cause == CloseCause.SUPERSEDED) {
      takeovers.add(1);
    }
  }

  void cleanedUp(Duration duration) {
    cleanup.record(duration);
  }

  private static <K> void addTo(Map<K, Meters.Counter> counters, K key) {
    Meters.Counter counter = counters.get(key);
    if (counter != null) {
      counter.add(1);
    }
  }
}
