package dev.holdfast.client;

import dev.holdfast.protocol.gateway.v1.ConnectResponse;
import dev.holdfast.protocol.gateway.v1.ConnectionAck;
import dev.holdfast.protocol.gateway.v1.GoingAway;
import dev.holdfast.protocol.gateway.v1.InitConnection;
import io.grpc.SynchronizationContext;
import io.grpc.SynchronizationContext.ScheduledHandle;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One identity, held over as many streams as it takes: opens a stream, follows what the gateway
 * says on it, and when it ends, decides what that means and whether to try again.
 *
 * <p>One stream is current at a time; what an older one still says is ignored. Everything runs in
 * the serial context, apart from {@link #start} and {@link #close}, which enter it.
 */
final class Hold implements ConnectStream.Events {
  /** How long a gateway may take to release the identity of a connection that says goodbye. */
  static final Duration GOODBYE_LIMIT = Duration.ofSeconds(5);

  private final SynchronizationContext context;
  private final Principal principal;
  private final ConnectOptions options;
  private final ClientRuntime runtime;
  private final ConnectStream.Caller caller;
  private final Consumer<Hold> forget;
  private final Notifier notifier;
  private final Standing standing;
  private final Inbox inbox;
  private final Outbox outbox;
  private final Retrier retrier;
  private final Connection connection;
  private final CompletableFuture<Connection> acquired = new CompletableFuture<>();
  private final CompletableFuture<CloseReason> ended = new CompletableFuture<>();
  private final CompletableFuture<CloseReason> closed = new CompletableFuture<>();

  private @Nullable ConnectStream stream;
  private @Nullable ScheduledHandle timer; // of the attempt, the retry or the goodbye
  private boolean acknowledged; // the current stream
  private boolean everHeld;
  private String resumeSessionId = "";
  private String assignedId = "";
  private Optional<Duration> comeBackAfter = Optional.empty();

  /**
   * A hold that hasn't begun.
   *
   * @param caller opens a stream
   * @param forget told when the connection is closed and its last stream has ended
   */
  Hold(
      Principal principal,
      ConnectOptions options,
      ClientRuntime runtime,
      ConnectStream.Caller caller,
      Consumer<Hold> forget) {
    this.principal = principal;
    this.options = options;
    this.runtime = runtime;
    this.caller = caller;
    this.forget = forget;
    this.context = new SynchronizationContext((thread, thrown) -> onBug(thrown));
    this.notifier = new Notifier(runtime.executor(), principal, options, this::connection);
    this.standing = new Standing(context, runtime, notifier);
    this.inbox = new Inbox(context, notifier, options.inboxCapacity());
    this.outbox = new Outbox(context, runtime.executor(), options.maxUnreceipted());
    this.retrier = new Retrier(runtime);
    this.connection = new Connection(this, standing, inbox, outbox);
  }

  /** Completes with the connection at the first acknowledgement, or with why there is none. */
  CompletableFuture<Connection> acquired() {
    return acquired;
  }

  /** Completes when the connection is closed and its last stream has ended; never fails. */
  CompletableFuture<CloseReason> ended() {
    return ended;
  }

  /** As {@link #ended}, but after the listener has heard of it. */
  CompletionStage<CloseReason> closed() {
    return closed.minimalCompletionStage();
  }

  Connection connection() {
    return connection;
  }

  Principal principal() {
    return principal;
  }

  /** Begins to acquire the identity. */
  void start() {
    runtime
        .executor()
        .execute(
            () -> {
              Optional<SavedSession> saved = notifier.load();
              context.execute(() -> begin(saved));
            });
  }

  /** Releases the identity. */
  void close() {
    context.execute(this::closeByClient);
  }

  @Override
  public void onFrame(ConnectStream source, ConnectResponse frame) {
    if (source != stream || standing.isClosed()) {
      return;
    }
    standing.frameArrived();
    if (acknowledged == frame.hasAck()) {
      giveUpStream(
          Failures.local(
              Reasons.PROTOCOL_ERROR, "the gateway sent " + frame.getFrameCase() + " out of turn"));
      return;
    }
    switch (frame.getFrameCase()) {
      case ACK -> onAck(frame.getAck());
      case MESSAGE -> inbox.accept(frame.getMessage());
      case RECEIPT -> outbox.receipt(frame.getReceipt());
      case LEASE -> standing.leaseChanged(frame.getLease());
      case GOING_AWAY -> onGoingAway(frame.getGoingAway());
      case FRAME_NOT_SET -> {} // a kind of frame that a newer gateway knows
    }
  }

  @Override
  public void onReady(ConnectStream source) {
    if (source == stream) {
      outbox.flush();
    }
  }

  @Override
  public void onEnd(ConnectStream source, HoldfastException cause) {
    if (source == stream) {
      streamEnded(cause);
    }
  }

  private void begin(Optional<SavedSession> saved) {
    if (standing.isClosed()) {
      return;
    }
    resumeSessionId = saved.map(SavedSession::sessionId).orElse("");
    assignedId = saved.map(SavedSession::assignedId).orElse("");
    openStream();
  }

  private void openStream() {
    acknowledged = false;
    comeBackAfter = Optional.empty();
    ConnectStream opened = ConnectStream.open(caller, context, this);
    stream = opened;
    opened.init(
        InitConnection.newBuilder()
            .setPrincipal(principal.accept(new PrincipalMapper(assignedId)))
            .setResumeSessionId(resumeSessionId)
            .setMessageCredit(inbox.attach(opened))
            .setClientAgent(ClientVersion.AGENT)
            .build());
    schedule(this::onConnectTimeout, options.connectTimeout());
  }

  private void onConnectTimeout() {
    giveUpStream(
        new GatewayUnavailableException(
            Failure.local(
                Reasons.CONNECT_TIMEOUT,
                "the gateway did not answer within " + options.connectTimeout(),
                Failure.Kind.TRANSIENT)));
  }

  private void onAck(ConnectionAck ack) {
    cancelTimer();
    acknowledged = true;
    everHeld = true;
    resumeSessionId = ack.getSessionId();
    assignedId = ack.getAssignedId();
    retrier.held();
    notifier.save(new SavedSession(resumeSessionId, assignedId));
    standing.acquired(ack);
    if (stream != null) {
      outbox.attach(stream, ack.getMaxPayloadBytes());
    }
    // Last: whoever waits for the connection must find its token, and a place to send to.
    notifier.afterwards(this::tellAcquired);
  }

  /** On another thread, because what the application does next may block. */
  private void tellAcquired() {
    if (!acquired.isDone()) {
      runtime.executor().execute(() -> acquired.complete(connection));
    }
  }

  private void onGoingAway(GoingAway goingAway) {
    if (goingAway.hasRetryAfter()) {
      comeBackAfter = Optional.of(Failures.toDuration(goingAway.getRetryAfter()));
    }
    notifier.goingAway(goingAway.getReason());
  }

  private void giveUpStream(HoldfastException cause) {
    if (stream != null) {
      stream.cancel(cause.reason());
      streamEnded(cause);
    }
  }

  private void streamEnded(HoldfastException cause) {
    cancelTimer();
    stream = null;
    inbox.detach();
    outbox.detach();
    if (standing.isClosed()) {
      finish();
      return;
    }
    if (acknowledged) {
      acknowledged = false;
      retrier.ended();
      if (cause.failure().kind() != Failure.Kind.FINAL) {
        standing.streamEnded(cause);
      }
    } else if (cause.failure().kind() == Failure.Kind.DUPLICATE) {
      standing.lost(cause);
    }
    tryAgain(cause);
  }

  private void tryAgain(HoldfastException cause) {
    Optional<Duration> delay = options.reconnect() || !everHeld ? delay(cause) : Optional.empty();
    if (delay.isEmpty()) {
      closeFor(CloseReason.of(cause), cause);
      return;
    }
    notifier.retry(delay.get(), cause);
    schedule(this::openStream, delay.get());
  }

  private Optional<Duration> delay(HoldfastException cause) {
    Duration patience = options.retryOnDuplicate();
    if (everHeld && patience.compareTo(standing.lockTtl()) < 0) {
      patience = standing.lockTtl();
    }
    Optional<Duration> asked = cause.retryAfter().isPresent() ? cause.retryAfter() : comeBackAfter;
    return retrier.next(cause, asked.orElse(Duration.ZERO), everHeld, patience);
  }

  private void closeByClient() {
    if (standing.isClosed()) {
      return;
    }
    ConnectStream last = stream;
    boolean released = acknowledged;
    closeFor(
        CloseReason.BY_CLIENT,
        Failures.local(Reasons.CLOSED_BY_CLIENT, "closed before it was acquired"));
    if (last == null) {
      return;
    }
    if (released) {
      last.halfClose();
      schedule(this::onGoodbyeTimeout, GOODBYE_LIMIT);
    } else {
      last.cancel("closed by the application");
      stream = null;
      finish();
    }
  }

  private void onGoodbyeTimeout() {
    giveUpStream(
        Failures.local(Reasons.CLOSED_BY_CLIENT, "the gateway did not end the stream in time"));
  }

  private void closeFor(CloseReason reason, HoldfastException connectFailure) {
    cancelTimer();
    inbox.detach();
    outbox.detach();
    standing.closed(reason);
    if (!everHeld) {
      runtime.executor().execute(() -> acquired.completeExceptionally(connectFailure));
    }
    if (stream == null) {
      finish();
    }
  }

  private void finish() {
    cancelTimer();
    forget.accept(this);
    CloseReason reason = standing.closeReason().orElse(CloseReason.BY_CLIENT);
    ended.complete(reason);
    notifier.afterwards(() -> runtime.executor().execute(() -> closed.complete(reason)));
  }

  /** What this class did not expect: nothing that it knows can be relied on any more. */
  private void onBug(Throwable thrown) {
    ClientLog.bug(principal, thrown);
    context.execute(
        () -> {
          if (stream != null) {
            stream.cancel("the client failed");
            stream = null;
          }
          HoldfastException cause =
              Failures.local(Reasons.INTERNAL_ERROR, "the SDK failed: " + thrown);
          closeFor(CloseReason.of(cause), cause);
        });
  }

  private void schedule(Runnable task, Duration delay) {
    timer = context.schedule(task, delay.toNanos(), TimeUnit.NANOSECONDS, runtime.timers());
  }

  private void cancelTimer() {
    if (timer != null) {
      timer.cancel();
      timer = null;
    }
  }
}
