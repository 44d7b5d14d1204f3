package dev.holdfast.gateway.testing;

import dev.holdfast.gateway.telemetry.Meter;
import dev.holdfast.gateway.telemetry.Meters;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;

/** Keeps what was recorded, for assertions. */
public final class RecordingMeters implements Meters {
  private final Map<String, LongAdder> totals = new ConcurrentHashMap<>();
  private final Map<Meter, LongSupplier> gauges = new ConcurrentHashMap<>();

  /** Returns a counter's total, or how often a timer or distribution recorded. */
  public long total(Meter meter, String tagValue) {
    return adder(meter, tagValue).sum();
  }

  /** Reads a gauge. */
  public long gauge(Meter meter) {
    LongSupplier value = gauges.get(meter);
    if (value == null) {
      throw new AssertionError("no gauge was registered for " + meter);
    }
    return value.getAsLong();
  }

  @Override
  public Counter counter(Meter meter, String tagValue) {
    return adder(meter, tagValue)::add;
  }

  @Override
  public Timer timer(Meter meter) {
    return duration -> adder(meter, "").increment();
  }

  @Override
  public Distribution distribution(Meter meter) {
    return size -> adder(meter, "").increment();
  }

  @Override
  public void gauge(Meter meter, LongSupplier value) {
    gauges.put(meter, value);
  }

  private LongAdder adder(Meter meter, String tagValue) {
    return totals.computeIfAbsent(meter + "/" + tagValue, key -> new LongAdder());
  }
}
