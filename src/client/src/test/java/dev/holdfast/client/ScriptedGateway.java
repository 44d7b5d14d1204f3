package dev.holdfast.client;

import com.google.protobuf.Any;
import com.google.protobuf.ByteString;
import com.google.rpc.Code;
import com.google.rpc.ErrorInfo;
import com.google.rpc.RetryInfo;
import com.google.rpc.Status;
import dev.holdfast.protocol.gateway.v1.Accepted;
import dev.holdfast.protocol.gateway.v1.ConnectRequest;
import dev.holdfast.protocol.gateway.v1.ConnectResponse;
import dev.holdfast.protocol.gateway.v1.ConnectionAck;
import dev.holdfast.protocol.gateway.v1.ConnectionServiceGrpc;
import dev.holdfast.protocol.gateway.v1.GoingAway;
import dev.holdfast.protocol.gateway.v1.InitConnection;
import dev.holdfast.protocol.gateway.v1.LeaseState;
import dev.holdfast.protocol.gateway.v1.LeaseStateChanged;
import dev.holdfast.protocol.gateway.v1.Message;
import dev.holdfast.protocol.gateway.v1.Receipt;
import dev.holdfast.protocol.gateway.v1.Rejected;
import dev.holdfast.protocol.gateway.v1.SendMessage;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.protobuf.StatusProto;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;

/** A gateway that does what a test tells it to. */
final class ScriptedGateway extends ConnectionServiceGrpc.ConnectionServiceImplBase
    implements ServerInterceptor {
  static final Duration LOCK_TTL = Duration.ofSeconds(30);

  final List<Stream> streams = new CopyOnWriteArrayList<>();
  final List<String> apiKeys = new CopyOnWriteArrayList<>();
  volatile boolean slowToRead;

  @Override
  public <Q, A> ServerCall.Listener<Q> interceptCall(
      ServerCall<Q, A> call, Metadata headers, ServerCallHandler<Q, A> next) {
    String key = headers.get(Metadata.Key.of("x-api-key", Metadata.ASCII_STRING_MARSHALLER));
    apiKeys.add(key == null ? "" : key);
    return next.startCall(call, headers);
  }

  @Override
  public StreamObserver<ConnectRequest> connect(StreamObserver<ConnectResponse> responses) {
    Stream stream = new Stream((ServerCallStreamObserver<ConnectResponse>) responses);
    streams.add(stream);
    return stream;
  }

  /** The newest stream. */
  Stream newest() {
    return streams.get(streams.size() - 1);
  }

  /** One stream, from the gateway's side. */
  final class Stream implements StreamObserver<ConnectRequest> {
    final ServerCallStreamObserver<ConnectResponse> responses;
    final List<ConnectRequest> requests = new CopyOnWriteArrayList<>();
    volatile boolean halfClosed;
    volatile boolean cancelled;

    Stream(ServerCallStreamObserver<ConnectResponse> responses) {
      this.responses = responses;
      responses.setOnCancelHandler(() -> cancelled = true);
      if (slowToRead) {
        responses.disableAutoRequest();
        responses.request(1);
      }
    }

    @Override
    public void onNext(ConnectRequest request) {
      requests.add(request);
    }

    @Override
    public void onError(Throwable thrown) {
      cancelled = true;
    }

    @Override
    public void onCompleted() {
      halfClosed = true;
    }

    InitConnection init() {
      return requests.get(0).getInit();
    }

    List<SendMessage> sends() {
      return requests.stream()
          .filter(ConnectRequest::hasSend)
          .map(ConnectRequest::getSend)
          .toList();
    }

    int granted() {
      return requests.stream().mapToInt(r -> r.getGrant().getMessages()).sum();
    }

    void ack(String sessionId, long token, boolean resumed) {
      ack(
          ConnectionAck.newBuilder()
              .setSessionId(sessionId)
              .setFencingToken(token)
              .setResumed(resumed)
              .setIdentity("agent/acme/builder/7")
              .setGatewayId("gateway-1")
              .setMaxPayloadBytes(1_000_000)
              .setLockTtl(proto(LOCK_TTL))
              .build());
    }

    void ack(ConnectionAck ack) {
      responses.onNext(ConnectResponse.newBuilder().setAck(ack).build());
    }

    void message(String from, long token, String correlationId, byte[] payload) {
      Message message =
          Message.newBuilder()
              .setFrom(from)
              .setSenderFencingToken(token)
              .setCorrelationId(correlationId)
              .setPayload(ByteString.copyFrom(payload))
              .setContentType("text/plain")
              .build();
      responses.onNext(ConnectResponse.newBuilder().setMessage(message).build());
    }

    void accept(String correlationId) {
      receipt(Receipt.newBuilder().setAccepted(Accepted.getDefaultInstance()), correlationId);
    }

    void reject(String correlationId, String reason, Duration retryAfter) {
      receipt(
          Receipt.newBuilder()
              .setRejected(
                  Rejected.newBuilder()
                      .setReason(reason)
                      .setMessage("no")
                      .setRetryAfter(proto(retryAfter))),
          correlationId);
    }

    private void receipt(Receipt.Builder receipt, String correlationId) {
      responses.onNext(
          ConnectResponse.newBuilder().setReceipt(receipt.setCorrelationId(correlationId)).build());
    }

    void lease(LeaseState state, Duration remaining) {
      responses.onNext(
          ConnectResponse.newBuilder()
              .setLease(
                  LeaseStateChanged.newBuilder()
                      .setState(state)
                      .setRemaining(proto(remaining))
                      .setCause("Redis is slow"))
              .build());
    }

    void goingAway(Duration retryAfter) {
      responses.onNext(
          ConnectResponse.newBuilder()
              .setGoingAway(
                  GoingAway.newBuilder().setReason("restart").setRetryAfter(proto(retryAfter)))
              .build());
    }

    /** The transport dies: no word from the gateway. */
    void breakDown() {
      responses.onError(io.grpc.Status.UNAVAILABLE.withDescription("io").asRuntimeException());
    }

    void end(Code code, String reason) {
      end(code, reason, Map.of(), Duration.ZERO);
    }

    /** The gateway ends or refuses the stream; no retry information if {@code retryAfter} is 0. */
    void end(Code code, String reason, Map<String, String> metadata, Duration retryAfter) {
      Status.Builder status =
          Status.newBuilder()
              .setCode(code.getNumber())
              .setMessage("because")
              .addDetails(
                  Any.pack(
                      ErrorInfo.newBuilder()
                          .setDomain("holdfast.dev")
                          .setReason(reason)
                          .putAllMetadata(metadata)
                          .build()));
      if (!retryAfter.isZero()) {
        status.addDetails(
            Any.pack(RetryInfo.newBuilder().setRetryDelay(proto(retryAfter)).build()));
      }
      responses.onError(StatusProto.toStatusRuntimeException(status.build()));
    }

    void refuseDuplicate(Duration retryAfter) {
      end(
          Code.ALREADY_EXISTS,
          "DUPLICATE_IDENTITY",
          Map.of("identity", "agent/acme/builder/7", "held_since", "2026-11-30T10:00:00Z"),
          retryAfter);
    }
  }

  private static com.google.protobuf.Duration proto(Duration value) {
    return com.google.protobuf.Duration.newBuilder()
        .setSeconds(value.getSeconds())
        .setNanos(value.getNano())
        .build();
  }
}
