package dev.holdfast.gateway.telemetry;

import java.util.function.LongSupplier;
import org.eclipse.microprofile.metrics.Metadata;
import org.eclipse.microprofile.metrics.MetricID;
import org.eclipse.microprofile.metrics.MetricRegistry;
import org.eclipse.microprofile.metrics.MetricUnits;
import org.eclipse.microprofile.metrics.Tag;

/** Meters that MicroProfile Metrics shows at {@code /metrics}. Thread-safe. */
public final class MicroProfileMeters implements Meters {
  private final MetricRegistry registry;

  public MicroProfileMeters(MetricRegistry registry) {
    this.registry = registry;
  }

  @Override
  public Counter counter(Meter meter, String tagValue) {
    return registry.counter(metadata(meter), tags(meter, tagValue))::inc;
  }

  @Override
  public Timer timer(Meter meter) {
    return registry.timer(metadata(meter))::update;
  }

  @Override
  public Distribution distribution(Meter meter) {
    return registry.histogram(metadata(meter))::update;
  }

  @Override
  public void gauge(Meter meter, LongSupplier value) {
    registry.remove(new MetricID(meter.id())); // A gauge of an earlier start would stay.
    registry.gauge(metadata(meter), value::getAsLong);
  }

  private static Metadata metadata(Meter meter) {
    return Metadata.builder()
        .withName(meter.id())
        .withDescription(meter.help())
        .withUnit(meter.kind() == Meter.Kind.TIMER ? MetricUnits.SECONDS : MetricUnits.NONE)
        .build();
  }

  private static Tag[] tags(Meter meter, String value) {
    return meter.tag().isEmpty() ? new Tag[0] : new Tag[] {new Tag(meter.tag(), value)};
  }
}
