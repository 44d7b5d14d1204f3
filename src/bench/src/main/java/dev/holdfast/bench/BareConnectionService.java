package dev.holdfast.bench;

import dev.holdfast.protocol.gateway.v1.Agent;
import dev.holdfast.protocol.gateway.v1.ConnectRequest;
import dev.holdfast.protocol.gateway.v1.ConnectResponse;
import dev.holdfast.protocol.gateway.v1.ConnectionAck;
import dev.holdfast.protocol.gateway.v1.ConnectionServiceGrpc;
import dev.holdfast.protocol.gateway.v1.InitConnection;
import dev.holdfast.protocol.gateway.v1.Message;
import dev.holdfast.protocol.gateway.v1.SendMessage;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/**
 * The wire protocol without the product: the first frame is answered, a message is forwarded, a
 * cancel is reported. No lock, no key, no receipt. Thread-safe.
 */
final class BareConnectionService extends ConnectionServiceGrpc.ConnectionServiceImplBase {
  private final ConcurrentMap<String, Stream> streams = new ConcurrentHashMap<>();
  private final Reporter reporter;

  BareConnectionService(Reporter reporter) {
    this.reporter = reporter;
  }

  @Override
  public StreamObserver<ConnectRequest> connect(StreamObserver<ConnectResponse> responses) {
    Stream stream = new Stream((ServerCallStreamObserver<ConnectResponse>) responses);
    stream.responses.setOnCancelHandler(stream::cancelled);
    return stream;
  }

  /** One client's stream. */
  private final class Stream implements StreamObserver<ConnectRequest> {
    private final ServerCallStreamObserver<ConnectResponse> responses;
    private volatile String identity = "";

    Stream(ServerCallStreamObserver<ConnectResponse> responses) {
      this.responses = responses;
    }

    @Override
    public void onNext(ConnectRequest request) {
      if (request.hasInit()) {
        acknowledge(request.getInit());
      } else {
        forward(request.getSend());
      }
    }

    @Override
    public void onError(Throwable failure) {
      // Told to the cancel handler already.
    }

    @Override
    public void onCompleted() {
      streams.remove(identity, this);
      responses.onCompleted();
    }

    private void acknowledge(InitConnection init) {
      Agent agent = init.getPrincipal().getAgent();
      identity = "agent/" + agent.getWorkspace() + '/' + agent.getSpecifier();
      streams.put(identity, this);
      ConnectionAck ack = ConnectionAck.newBuilder().setIdentity(identity).build();
      send(ConnectResponse.newBuilder().setAck(ack).build());
    }

    private void forward(SendMessage send) {
      Stream receiver = streams.get(send.getTo());
      if (receiver == null) {
        throw new IllegalStateException("nobody holds '" + send.getTo() + "'");
      }
      Message message =
          Message.newBuilder()
              .setCorrelationId(send.getCorrelationId())
              .setFrom(identity)
              .setPayload(send.getPayload())
              .build();
      receiver.send(ConnectResponse.newBuilder().setMessage(message).build());
    }

    /** Senders are many; a stream takes one frame at a time. */
    private synchronized void send(ConnectResponse response) {
      responses.onNext(response);
    }

    private void cancelled() {
      streams.remove(identity, this);
      reporter.report("cancelled", identity);
    }
  }
}
