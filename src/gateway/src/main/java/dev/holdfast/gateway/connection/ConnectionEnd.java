package dev.holdfast.gateway.connection;

import dev.holdfast.gateway.access.Caller;
import dev.holdfast.gateway.message.Outbox;
import dev.holdfast.gateway.message.SerialContext;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/**
 * How one connection ends: its stream and its clean-up, each once.
 *
 * <p>Confined to the connection's serial context, save for {@link #released}.
 */
final class ConnectionEnd {
  /** An end that is unsent after this long waits behind a client that does not read. */
  static final Duration RESET_GRACE = Duration.ofSeconds(5);

  private final Connections services;
  private final Caller caller;
  private final ClientStream stream;
  private final Outbox outbox;
  private final SerialContext serial;
  private final CompletableFuture<Boolean> released = new CompletableFuture<>();

  private @Nullable Closure closure;
  private long startedNanos;
  private boolean cleaning;
  private boolean streamEnding;
  private boolean streamOver;
  private Future<?> reset = CompletableFuture.completedFuture(null);

  ConnectionEnd(
      Connections services,
      Caller caller,
      ClientStream stream,
      Outbox outbox,
      SerialContext serial) {
    this.services = services;
    this.caller = caller;
    this.stream = stream;
    this.outbox = outbox;
    this.serial = serial;
  }

  /** Completes when the lock is released: with false if Redis did not confirm that. */
  CompletionStage<Boolean> released() {
    return released.minimalCompletionStage();
  }

  /** Notes the cause; messages are neither taken nor sent from now on. */
  void start(Closure why) {
    closure = why;
    startedNanos = services.environment.nanos();
    outbox.shut();
  }

  /** Ends the stream if the connection has ended. */
  void endStream() {
    if (closure == null || streamEnding) {
      return;
    }
    streamEnding = true;
    if (!streamOver) {
      reset = services.environment.after(RESET_GRACE, stream::reset);
    }
    outbox.end(closure.error());
  }

  /** Hears that there is no stream any more. */
  void onStreamOver() {
    streamOver = true;
    reset.cancel(false);
  }

  /**
   * Runs the clean-up.
   *
   * @param holding what was held; null if nothing was
   * @param finished run in the serial context at the end
   */
  void cleanUp(@Nullable Holding holding, Runnable finished) {
    if (cleaning || closure == null) {
      return;
    }
    cleaning = true;
    if (holding == null) {
      finished.run();
      endStream();
      released.complete(true);
      return;
    }
    services
        .cleanup
        .run(ended(holding, closure.cause()), this::onReleased)
        .thenRun(() -> serial.execute(finished));
  }

  private void onReleased(boolean confirmed) {
    serial.execute(this::endStream);
    released.complete(confirmed);
  }

  private Cleanup.Ended ended(Holding holding, CloseCause cause) {
    return new Cleanup.Ended(
        holding.key(),
        holding.lock(),
        holding.resumed(),
        caller,
        cause,
        holding.sinceNanos(),
        startedNanos);
  }
}
