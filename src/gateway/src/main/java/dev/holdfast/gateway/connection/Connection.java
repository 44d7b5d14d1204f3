package dev.holdfast.gateway.connection;

import dev.holdfast.gateway.access.Caller;
import dev.holdfast.gateway.error.GatewayException;
import dev.holdfast.gateway.identity.ConnectionId;
import dev.holdfast.gateway.lock.AcquireRequest;
import dev.holdfast.gateway.lock.AcquireResult;
import dev.holdfast.gateway.lock.LockKey;
import dev.holdfast.gateway.message.Frames;
import dev.holdfast.gateway.message.Outbox;
import dev.holdfast.gateway.message.SenderLane;
import dev.holdfast.gateway.message.SerialContext;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/**
 * One stream, from its opening to the end of its clean-up: the lock on an identity, its heartbeat
 * and its channel.
 *
 * <p>Thread-safe, never blocks. Everything that happens to a connection runs in its serial context,
 * one thing after the other, and moves {@link #state} through the table of {@link ConnectionState}.
 * The first thing that ends it names the cause; whatever ends it later is ignored. Only messages
 * pass by the serial context: the sender's lane and the receiver's outbox keep their order.
 */
final class Connection {
  /** How many frames a client may send before it must have read the first receipt. */
  static final int INBOUND_WINDOW = 64;

  private final Connections services;
  private final Caller caller;
  private final ClientStream stream;
  private final Outbox outbox;
  private final ConnectionId session;
  private final Instant openedAt;
  private final SerialContext serial = new SerialContext(this::onDefect);
  private final ConnectionEnd end;

  // Written in the serial context only.
  private volatile ConnectionState state = ConnectionState.AWAITING_INIT;
  private volatile @Nullable InitRequest init;
  private volatile @Nullable Holding holding;

  // Confined to the serial context.
  private boolean acquiring;
  private LeaseKeeper.Hold hold = () -> {};
  private Future<?> initTimer = CompletableFuture.completedFuture(null);

  Connection(Connections services, Caller caller, ClientStream stream) {
    this.services = services;
    this.caller = caller;
    this.stream = stream;
    this.session = ConnectionId.random(services.environment.random());
    this.openedAt = services.environment.wallClock().instant();
    this.outbox =
        new Outbox(stream, services.limits, services.outboxMeters, () -> stream.requestFrames(1));
    this.end = new ConnectionEnd(services, caller, stream, outbox, serial);
  }

  ConnectionId session() {
    return session;
  }

  Outbox outbox() {
    return outbox;
  }

  ConnectionState state() {
    return state;
  }

  /** Returns the fencing token; 0 before the identity is held. */
  long token() {
    Holding held = holding;
    return held == null ? 0 : held.lock().token();
  }

  /** Describes the connection; empty while its identity is not known. */
  Optional<ConnectionView> view() {
    InitRequest who = init;
    return who == null ? Optional.empty() : Optional.of(viewOf(who, holding));
  }

  private ConnectionView viewOf(InitRequest who, @Nullable Holding held) {
    return new ConnectionView(
        session,
        who.identity(),
        state,
        held == null ? 0 : held.lock().token(),
        services.self.id(),
        openedAt,
        held != null && held.resumed(),
        caller.key().id(),
        caller.peer(),
        who.clientAgent(),
        outbox.depth());
  }

  /** Asks for a place and waits for the first frame. */
  void begin() {
    serial.execute(this::onBegin);
  }

  /** Takes in a frame. Called in the order of arrival, never concurrently. */
  void receive(InboundFrame frame) {
    Holding held = holding;
    if (held != null
        && state.holdsIdentity()
        && frame instanceof InboundFrame.Parsed parsed
        && parsed.request().hasSend()) {
      held.lane().send(parsed.request().getSend());
    } else {
      serial.execute(() -> onFrame(frame));
    }
  }

  /** Hears that the client sends no more. */
  void halfClosed() {
    serial.execute(
        () ->
            close(
                state == ConnectionState.AWAITING_INIT
                    ? Closure.of(CloseCause.PROTOCOL_ERROR, FrameRules.halfClosedBeforeInit())
                    : Closure.of(CloseCause.CLIENT_COMPLETED, "The client half-closed.")));
  }

  /** Hears that the stream is over because of the client or the transport. */
  void streamLost(CloseCause cause, String detail) {
    streamLost(Closure.of(cause, detail));
  }

  /** As {@link #streamLost(CloseCause, String)}, with what the client may still be told. */
  void streamLost(Closure why) {
    serial.execute(
        () -> {
          end.onStreamOver();
          close(why);
        });
  }

  /** Hears that the stream is over because it was ended here. */
  void streamCompleted() {
    serial.execute(end::onStreamOver);
  }

  /**
   * Ends the connection.
   *
   * @return completes, never exceptionally, when the lock is released: with false if Redis did not
   *     confirm that
   */
  CompletionStage<Boolean> end(CloseCause cause, String detail) {
    serial.execute(() -> close(Closure.of(cause, detail)));
    return end.released();
  }

  /** Ends the connection because the gateway stops; otherwise like {@link #end}. */
  CompletionStage<Boolean> shutDown(Duration retryAfter) {
    serial.execute(() -> close(Closure.of(CloseCause.SHUTDOWN, services.shuttingDown(retryAfter))));
    return end.released();
  }

  /** Tells the client, once it holds its identity, that the stream ends soon. */
  void goAway(String reason, Duration retryAfter, Instant endsAt) {
    outbox.goingAway(Frames.goingAway(reason, retryAfter, endsAt));
  }

  /** Ends the stream of a connection that has ended, without waiting for its clean-up. */
  void endStreamNow() {
    serial.execute(end::endStream);
  }

  private void onBegin() {
    switch (services.registry.admit(this)) {
      case SHUT -> close(Closure.of(CloseCause.SHUTDOWN, services.shuttingDown()));
      case FULL -> close(Closure.of(CloseCause.REFUSED, Refusals.full()));
      case ADMITTED -> {
        initTimer = services.environment.after(services.initTimeout, this::initTimedOut);
        stream.requestFrames(1);
        endIfDraining();
      }
    }
  }

  private void initTimedOut() {
    serial.execute(
        () -> {
          if (state == ConnectionState.AWAITING_INIT) {
            close(
                Closure.of(CloseCause.INIT_TIMEOUT, FrameRules.initTimeout(services.initTimeout)));
          }
        });
  }

  /** Sees to it that a connection that the drain did not find does not outlive it (F36). */
  private void endIfDraining() {
    if (services.registry.isDraining()) {
      close(Closure.of(CloseCause.SHUTDOWN, services.shuttingDown()));
    }
  }

  private void onFrame(InboundFrame frame) {
    try {
      if (state == ConnectionState.AWAITING_INIT) {
        onInit(services.initReader.read(FrameRules.initOf(frame)));
        return;
      }
      FrameRules.checkLater(frame);
      if (frame instanceof InboundFrame.Parsed parsed && parsed.request().hasGrant()) {
        outbox.grant(Integer.toUnsignedLong(parsed.request().getGrant().getMessages()));
        stream.requestFrames(1);
      }
    } catch (GatewayException e) {
      close(Closure.of(CloseCause.PROTOCOL_ERROR, e));
    }
  }

  private void onInit(InitRequest request) {
    try {
      Refusals.authorise(caller.key(), request.identity());
    } catch (GatewayException e) {
      close(Closure.of(CloseCause.REFUSED, e));
      return;
    }
    init = request;
    move(ConnectionEvent.INIT);
    initTimer.cancel(false);
    acquiring = true;
    long sentNanos = services.environment.nanos();
    services
        .ports
        .lock()
        .acquire(
            new AcquireRequest(request.identity(), session, caller.key().id(), request.resume()))
        .whenComplete(
            (result, failure) ->
                serial.execute(() -> onAcquireAnswered(request, sentNanos, result, failure)));
  }

  private void onAcquireAnswered(
      InitRequest request,
      long sentNanos,
      @Nullable AcquireResult result,
      @Nullable Throwable failure) {
    acquiring = false;
    LockKey key = new LockKey(request.identity(), session);
    if (result instanceof AcquireResult.Acquired acquired) {
      onAcquired(request, key, sentNanos, acquired);
    } else if (result instanceof AcquireResult.Refused refused) {
      close(Closure.of(CloseCause.REFUSED, Refusals.duplicate(key.identity(), refused)));
    } else {
      services.releaser.releaseIfAcquired(key);
      close(Closure.of(CloseCause.ACQUIRE_FAILED, Refusals.acquireFailed(failure)));
    }
    if (state == ConnectionState.CLOSING) {
      end.cleanUp(holding, this::onCleaned); // It ended while the acquire was in flight.
    }
  }

  private void onAcquired(
      InitRequest request, LockKey key, long sentNanos, AcquireResult.Acquired acquired) {
    SenderLane lane =
        services.router.lane(key.identity(), acquired.lock().token(), outbox::receipt);
    Holding held = new Holding(key, acquired.lock(), acquired.resumed(), lane, sentNanos);
    holding = held;
    acquired.superseded().ifPresent(old -> services.takeover.endSuperseded(key.identity(), old));
    if (state == ConnectionState.ACQUIRING && services.isLate(sentNanos)) {
      close(Closure.of(CloseCause.ACQUIRE_FAILED, Refusals.answeredTooLate()));
    } else if (move(ConnectionEvent.ACQUIRED)) {
      onHeld(request, held);
    }
  }

  /** In this order: nothing comes before the ack, and nothing is asked of a client unheld. */
  private void onHeld(InitRequest request, Holding held) {
    services.meters.held(held.resumed());
    services.log.held(held.key(), held.lock().token(), held.resumed());
    outbox.open(services.ack(request, held), request.messageCredit());
    Connection loser = services.registry.publish(request.identity().toString(), this);
    if (loser != null) {
      services.log.displaced(new LockKey(request.identity(), loser.session()));
      CompletionStage<Boolean> unused =
          loser.end(CloseCause.NOT_OWNER, "A later acquisition of the identity was granted.");
    }
    LeaseFrames listener = new LeaseFrames(serial, outbox, this::move, this::close);
    hold = services.ports.leases().hold(held.key(), held.sinceNanos(), listener);
    stream.requestFrames(INBOUND_WINDOW);
    endIfDraining();
  }

  /** Ends the connection unless it has ended; the release goes out before anything else. */
  private void close(Closure why) {
    boolean wasHeld = state.holdsIdentity();
    if (!move(ConnectionEvent.END)) {
      return;
    }
    end.start(why);
    initTimer.cancel(false);
    hold.end();
    InitRequest who = init;
    if (who != null) {
      services.registry.unpublish(who.identity().toString(), this);
    }
    if (!acquiring) {
      end.cleanUp(holding, this::onCleaned);
    }
    if (why.cause().streamEnds() == CloseCause.When.AT_ONCE) {
      end.endStream();
    }
    services.log.ended(session, why);
    if (wasHeld) {
      services.meters.closed(why.cause());
    } else {
      services.meters.notHeld(why);
    }
  }

  private void onCleaned() {
    move(ConnectionEvent.CLEANED);
    services.registry.remove(this);
  }

  private boolean move(ConnectionEvent event) {
    Optional<ConnectionState> next = state.next(event);
    next.ifPresent(to -> state = to);
    return next.isPresent();
  }

  private void onDefect(RuntimeException e) {
    services.log.defect(session, e);
    serial.execute(
        () ->
            close(
                Closure.of(
                    CloseCause.INTERNAL,
                    "A defect of the gateway ended %s; its log has the details."
                        .formatted(session))));
  }
}
