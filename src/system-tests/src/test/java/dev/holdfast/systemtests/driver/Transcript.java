package dev.holdfast.systemtests.driver;

import dev.holdfast.protocol.gateway.v1.ConnectResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Everything that a gateway said on one stream, in order. Thread-safe. */
final class Transcript {
  private static final int SHOWN = 20;

  private final List<ConnectResponse> frames = new ArrayList<>();
  private @Nullable End end;

  synchronized void add(ConnectResponse frame) {
    frames.add(frame);
    notifyAll();
  }

  synchronized void finish(End how) {
    end = how;
    notifyAll();
  }

  synchronized List<ConnectResponse> frames() {
    return List.copyOf(frames);
  }

  synchronized Optional<End> end() {
    return Optional.ofNullable(end);
  }

  /**
   * Waits for a frame.
   *
   * @throws AssertionError if the stream ends, or {@code limit} passes, without it
   */
  synchronized <T> T awaitFrame(
      String what, Duration limit, Function<ConnectResponse, Optional<T>> wanted) {
    return await(
            limit, () -> frames.stream().flatMap(frame -> wanted.apply(frame).stream()).findFirst())
        .orElseThrow(
            () -> new AssertionError("there was no %s; instead: %s".formatted(what, this)));
  }

  /** Waits for a first frame or the end; returns false if neither comes within {@code limit}. */
  synchronized boolean awaitAny(Duration limit) {
    await(limit, () -> frames.stream().findFirst());
    return !frames.isEmpty() || end != null;
  }

  /**
   * Waits for the end.
   *
   * @throws AssertionError if it does not come within {@code limit}
   */
  synchronized End awaitEnd(Duration limit) {
    return await(limit, this::end)
        .orElseThrow(
            () ->
                new AssertionError("the stream did not end within %s: %s".formatted(limit, this)));
  }

  /** Looks again at every news, until the end of the stream. */
  private synchronized <T> Optional<T> await(Duration limit, Supplier<Optional<T>> look) {
    long deadline = System.nanoTime() + limit.toNanos();
    Optional<T> found = look.get();
    try {
      long left = limit.toNanos();
      while (found.isEmpty() && end == null && left > 0) {
        wait(left / 1_000_000 + 1);
        found = look.get();
        left = deadline - System.nanoTime();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return found;
  }

  /** Returns the last frames and the end, without payloads. */
  @Override
  public synchronized String toString() {
    StringBuilder text = new StringBuilder(frames.size() + " frames");
    for (ConnectResponse frame :
        frames.subList(Math.max(0, frames.size() - SHOWN), frames.size())) {
      text.append("\n  ")
          .append(frame.hasMessage() ? "message " + frame.getMessage().getCorrelationId() : frame);
    }
    return text.append(end == null ? "\n  still open" : "\n  ended with " + end).toString();
  }
}
