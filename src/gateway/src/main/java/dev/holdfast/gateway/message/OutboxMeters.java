package dev.holdfast.gateway.message;

import dev.holdfast.gateway.telemetry.Meter;
import dev.holdfast.gateway.telemetry.Meters;
import java.util.concurrent.atomic.LongAdder;

/** What all outboxes of a gateway count together. Thread-safe. */
public final class OutboxMeters {
  private final LongAdder depth = new LongAdder();
  private final Meters.Counter dropped;

  public OutboxMeters(Meters meters) {
    meters.gauge(Meter.MESSAGE_QUEUE_DEPTH, depth::sum);
    this.dropped = meters.counter(Meter.MESSAGES_DROPPED, "");
  }

  void queued() {
    depth.increment();
  }

  void sent() {
    depth.decrement();
  }

  void dropped(int messages) {
    if (messages > 0) {
      depth.add(-messages);
      dropped.add(messages);
    }
  }
}
