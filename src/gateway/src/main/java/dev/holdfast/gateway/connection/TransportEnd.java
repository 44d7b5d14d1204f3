package dev.holdfast.gateway.connection;

import io.grpc.Context;
import io.grpc.Metadata;
import io.grpc.ServerStreamTracer;
import io.grpc.Status;
import java.util.concurrent.TimeoutException;

/**
 * What the transport knows of one stream and the call does not say: why it ended, how large an
 * inbound frame has become, and how to tear it down.
 *
 * <p>Its {@link Factory} must be registered with the gRPC server. Thread-safe.
 */
public final class TransportEnd extends ServerStreamTracer {
  private static final Context.Key<TransportEnd> KEY = Context.key("holdfast-transport-end");

  /** How grpc-java's Netty transport begins the description of a failed keepalive. */
  private static final String KEEPALIVE_FAILED = "Keepalive failed";

  /** Makes one for each stream of a server. */
  public static final class Factory extends ServerStreamTracer.Factory {
    private final int maxFrameBytes;

    /**
     * Makes a factory.
     *
     * @param maxFrameBytes the largest inbound frame; the server's own limit must be higher, or the
     *     client is not told the reason
     */
    public Factory(int maxFrameBytes) {
      this.maxFrameBytes = maxFrameBytes;
    }

    @Override
    public ServerStreamTracer newServerStreamTracer(String fullMethodName, Metadata headers) {
      return new TransportEnd(maxFrameBytes);
    }
  }

  private final int maxFrameBytes;
  private long frameBytes; // Confined to the transport's thread.
  private volatile Runnable onTooLarge = () -> {};
  private volatile Status status = Status.UNKNOWN.withDescription("The stream is open.");
  private volatile Context.CancellableContext stream = Context.ROOT.withCancellation();

  private TransportEnd(int maxFrameBytes) {
    this.maxFrameBytes = maxFrameBytes;
  }

  /**
   * Returns the one of the current call.
   *
   * @throws IllegalStateException if no factory was registered with the server
   */
  static TransportEnd current() {
    TransportEnd end = KEY.get();
    if (end == null) {
      throw new IllegalStateException(
          "the gRPC server must have a TransportEnd.Factory among its stream tracers");
    }
    return end;
  }

  int maxFrameBytes() {
    return maxFrameBytes;
  }

  /** Sets what is to happen, on the transport's thread, when a frame grows beyond the limit. */
  void onTooLarge(Runnable action) {
    onTooLarge = action;
  }

  /**
   * Resets the stream, also while its end waits for the client to read: grpc-java resets a stream
   * whose context is cancelled because of a deadline, and this context is the parent of that one.
   */
  void reset() {
    stream.cancel(new TimeoutException("The client did not read the end of the stream in time."));
  }

  /** Says why the stream ended without the gateway ending it, and what its client is to be told. */
  Closure closure() {
    Status ended = status;
    CloseCause cause = causeOf(ended);
    if (ended.getCode() == Status.Code.RESOURCE_EXHAUSTED) {
      return Closure.of(cause, FrameRules.tooLarge(maxFrameBytes));
    }
    String description = ended.getDescription();
    return Closure.of(cause, ended.getCode() + (description == null ? "" : ": " + description));
  }

  @Override
  public Context filterContext(Context context) {
    Context.CancellableContext cancellable = context.withValue(KEY, this).withCancellation();
    stream = cancellable;
    return cancellable;
  }

  @Override
  public void inboundMessage(int seqNo) {
    frameBytes = 0;
  }

  @Override
  public void inboundWireSize(long bytes) {
    boolean wasWithin = frameBytes <= maxFrameBytes;
    frameBytes += bytes;
    if (wasWithin && frameBytes > maxFrameBytes) {
      onTooLarge.run();
    }
  }

  @Override
  public void streamClosed(Status status) {
    this.status = status;
    stream.cancel(null);
  }

  static CloseCause causeOf(Status status) {
    String description = status.getDescription();
    return switch (status.getCode()) {
      case CANCELLED, DEADLINE_EXCEEDED -> CloseCause.CLIENT_CANCELLED;
      case UNAVAILABLE ->
          description != null && description.startsWith(KEEPALIVE_FAILED)
              ? CloseCause.KEEPALIVE_TIMEOUT
              : CloseCause.CONNECTION_LOST;
      default -> CloseCause.TRANSPORT_ERROR;
    };
  }
}
