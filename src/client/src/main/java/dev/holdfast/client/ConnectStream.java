package dev.holdfast.client;

import dev.holdfast.protocol.gateway.v1.ConnectRequest;
import dev.holdfast.protocol.gateway.v1.ConnectResponse;
import dev.holdfast.protocol.gateway.v1.GrantCredit;
import dev.holdfast.protocol.gateway.v1.InitConnection;
import dev.holdfast.protocol.gateway.v1.SendMessage;
import io.grpc.SynchronizationContext;
import io.grpc.stub.ClientCallStreamObserver;
import io.grpc.stub.ClientResponseObserver;
import io.grpc.stub.StreamObserver;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One Connect stream, from its opening to its end. Everything runs in the connection's serial
 * context, apart from gRPC's callbacks, which only enter it.
 */
final class ConnectStream {
  /** Hears from a stream, in the serial context. The end comes once and last. */
  interface Events {
    void onFrame(ConnectStream stream, ConnectResponse frame);

    void onReady(ConnectStream stream);

    void onEnd(ConnectStream stream, HoldfastException cause);
  }

  /** Opens the gRPC call. */
  interface Caller {
    StreamObserver<ConnectRequest> call(StreamObserver<ConnectResponse> responses);
  }

  private final SynchronizationContext context;
  private final Events events;
  private @Nullable ClientCallStreamObserver<ConnectRequest> requests;

  private ConnectStream(SynchronizationContext context, Events events) {
    this.context = context;
    this.events = events;
  }

  /** Opens a stream; the caller must send the first frame. */
  static ConnectStream open(Caller caller, SynchronizationContext context, Events events) {
    ConnectStream stream = new ConnectStream(context, events);
    caller.call(stream.new Responses());
    return stream;
  }

  void init(InitConnection init) {
    requests().onNext(ConnectRequest.newBuilder().setInit(init).build());
  }

  void send(SendMessage message) {
    requests().onNext(ConnectRequest.newBuilder().setSend(message).build());
  }

  void grant(int messages) {
    GrantCredit grant = GrantCredit.newBuilder().setMessages(messages).build();
    requests().onNext(ConnectRequest.newBuilder().setGrant(grant).build());
  }

  /** Whether a frame would go out now rather than into the transport's buffer. */
  boolean isReady() {
    return requests().isReady();
  }

  /** Asks the gateway to release the identity and to end the stream. */
  void halfClose() {
    requests().onCompleted();
  }

  /** Ends the stream at once. */
  void cancel(String why) {
    requests().cancel(why, null);
  }

  private ClientCallStreamObserver<ConnectRequest> requests() {
    return Objects.requireNonNull(requests, "set before the call starts");
  }

  private final class Responses implements ClientResponseObserver<ConnectRequest, ConnectResponse> {
    @Override
    public void beforeStart(ClientCallStreamObserver<ConnectRequest> call) {
      requests = call;
      call.disableAutoRequestWithInitial(Integer.MAX_VALUE);
      call.setOnReadyHandler(() -> context.execute(() -> events.onReady(ConnectStream.this)));
    }

    @Override
    public void onNext(ConnectResponse frame) {
      context.execute(() -> events.onFrame(ConnectStream.this, frame));
    }

    @Override
    public void onError(Throwable thrown) {
      end(Failures.of(thrown));
    }

    @Override
    public void onCompleted() {
      end(Failures.streamEnded());
    }

    private void end(HoldfastException cause) {
      context.execute(() -> events.onEnd(ConnectStream.this, cause));
    }
  }
}
