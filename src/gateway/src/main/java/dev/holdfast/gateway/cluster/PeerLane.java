package dev.holdfast.gateway.cluster;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.holdfast.protocol.peer.v1.PeerBatch;
import dev.holdfast.protocol.peer.v1.PeerFrame;
import java.util.ArrayDeque;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;

/**
 * The frames for one destination, in order: one batch is under way, and what arrives meanwhile goes
 * into the next. An idle lane sends at once.
 *
 * <p>Thread-safe. Never blocks.
 */
final class PeerLane {
  private final Self self;
  private final PeerAddress to;
  private final PeerWire wire;
  private final PeerLimits limits;
  private final Consumer<PeerFrame> undelivered;
  private final Object lock = new Object();

  @GuardedBy("lock")
  private final ArrayDeque<PeerFrame> waiting = new ArrayDeque<>();

  @GuardedBy("lock")
  private long waitingBytes;

  @GuardedBy("lock")
  private boolean underWay;

  @GuardedBy("lock")
  private long sequence;

  /**
   * Makes an idle lane.
   *
   * @param undelivered told of each frame that was not, or perhaps not, received
   */
  PeerLane(
      Self self,
      PeerAddress to,
      PeerWire wire,
      PeerLimits limits,
      Consumer<PeerFrame> undelivered) {
    this.self = self;
    this.to = to;
    this.wire = wire;
    this.limits = limits;
    this.undelivered = undelivered;
  }

  /** Sends {@code frame} now or in the next batch; answers false if there is no room for it. */
  boolean offer(PeerFrame frame) {
    synchronized (lock) {
      boolean full =
          waiting.size() >= limits.frames()
              || (!waiting.isEmpty() && waitingBytes + frame.getSerializedSize() > limits.bytes());
      if (full) {
        return false;
      }
      waiting.add(frame);
      waitingBytes += frame.getSerializedSize();
    }
    send();
    return true;
  }

  private void send() {
    Optional<PeerBatch> next = next();
    if (next.isPresent()) {
      PeerBatch batch = next.get();
      publish(batch).whenComplete((received, failure) -> sent(batch, failure == null && received));
    }
  }

  private CompletionStage<Boolean> publish(PeerBatch batch) {
    return wire.publish(to, batch.toByteArray());
  }

  private Optional<PeerBatch> next() {
    synchronized (lock) {
      if (underWay || waiting.isEmpty()) {
        return Optional.empty();
      }
      underWay = true;
      PeerBatch.Builder batch =
          PeerBatch.newBuilder()
              .setFromGateway(self.id())
              .setFromEpoch(self.epoch())
              .setToEpoch(to.epoch())
              .setSequence(++sequence);
      long bytes = 0;
      for (PeerFrame frame = waiting.peek();
          frame != null && fits(batch.getFramesCount(), bytes + frame.getSerializedSize());
          frame = waiting.peek()) {
        batch.addFrames(waiting.remove());
        bytes += frame.getSerializedSize();
      }
      waitingBytes -= bytes;
      return Optional.of(batch.build());
    }
  }

  private boolean fits(int frames, long bytes) {
    return frames == 0 || (frames < limits.batchFrames() && bytes <= limits.batchBytes());
  }

  private void sent(PeerBatch batch, boolean received) {
    synchronized (lock) {
      underWay = false;
    }
    if (!received) {
      batch.getFramesList().forEach(undelivered);
    }
    send();
  }
}
