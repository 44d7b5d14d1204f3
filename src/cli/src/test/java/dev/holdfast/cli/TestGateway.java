package dev.holdfast.cli;

import com.google.protobuf.Any;
import com.google.protobuf.ByteString;
import com.google.protobuf.Duration;
import com.google.rpc.Code;
import com.google.rpc.ErrorInfo;
import com.google.rpc.RetryInfo;
import com.google.rpc.Status;
import dev.holdfast.protocol.gateway.v1.Accepted;
import dev.holdfast.protocol.gateway.v1.ConnectRequest;
import dev.holdfast.protocol.gateway.v1.ConnectResponse;
import dev.holdfast.protocol.gateway.v1.ConnectionAck;
import dev.holdfast.protocol.gateway.v1.ConnectionServiceGrpc;
import dev.holdfast.protocol.gateway.v1.InitConnection;
import dev.holdfast.protocol.gateway.v1.Message;
import dev.holdfast.protocol.gateway.v1.Receipt;
import dev.holdfast.protocol.gateway.v1.Rejected;
import dev.holdfast.protocol.gateway.v1.SendMessage;
import io.grpc.Grpc;
import io.grpc.InsecureServerCredentials;
import io.grpc.Server;
import io.grpc.protobuf.StatusProto;
import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;

/**
 * A gateway on the loopback that answers as it is set: refuses, or acknowledges and echoes every
 * message but those to {@code service/nobody/1}, and ends a stream that sends to {@code END}.
 */
final class TestGateway extends ConnectionServiceGrpc.ConnectionServiceImplBase
    implements AutoCloseable {
  final List<InitConnection> inits = new CopyOnWriteArrayList<>();
  private final Server server;
  private final String target;
  private final BiConsumer<TestGateway, StreamObserver<ConnectResponse>> onInit;

  private TestGateway(BiConsumer<TestGateway, StreamObserver<ConnectResponse>> onInit) {
    this.onInit = onInit;
    try {
      server =
          Grpc.newServerBuilderForPort(0, InsecureServerCredentials.create())
              .addService(this)
              .build()
              .start();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    target = "localhost:" + server.getPort();
  }

  static TestGateway acknowledging() {
    return new TestGateway(TestGateway::acknowledge);
  }

  static TestGateway refusing(Code code, String reason) {
    return new TestGateway((gateway, responses) -> responses.onError(error(code, reason)));
  }

  String target() {
    return target;
  }

  @Override
  public StreamObserver<ConnectRequest> connect(StreamObserver<ConnectResponse> responses) {
    return new StreamObserver<>() {
      @Override
      public void onNext(ConnectRequest request) {
        if (request.hasInit()) {
          inits.add(request.getInit());
          onInit.accept(TestGateway.this, responses);
        } else if (request.hasSend()) {
          answer(request.getSend(), responses);
        }
      }

      @Override
      public void onError(Throwable thrown) {}

      @Override
      public void onCompleted() {
        responses.onCompleted();
      }
    };
  }

  private void acknowledge(StreamObserver<ConnectResponse> responses) {
    responses.onNext(
        ConnectResponse.newBuilder()
            .setAck(
                ConnectionAck.newBuilder()
                    .setSessionId("conn-" + inits.size())
                    .setFencingToken(40 + inits.size())
                    .setIdentity("agent/acme/builder/7")
                    .setGatewayId("gw-1")
                    .setResumed(!inits.get(inits.size() - 1).getResumeSessionId().isEmpty())
                    .setLockTtl(Duration.newBuilder().setSeconds(30)))
            .build());
  }

  private static void answer(SendMessage send, StreamObserver<ConnectResponse> responses) {
    if (send.getTo().equals("END")) {
      responses.onError(error(Code.ABORTED, send.getPayload().toStringUtf8()));
      return;
    }
    Receipt.Builder receipt = Receipt.newBuilder().setCorrelationId(send.getCorrelationId());
    if (send.getTo().equals("service/nobody/1")) {
      receipt.setRejected(Rejected.newBuilder().setReason("NOT_CONNECTED").setMessage("nobody"));
    } else {
      receipt.setAccepted(Accepted.getDefaultInstance());
      responses.onNext(ConnectResponse.newBuilder().setMessage(echo(send)).build());
    }
    responses.onNext(ConnectResponse.newBuilder().setReceipt(receipt).build());
  }

  private static Message echo(SendMessage send) {
    return Message.newBuilder()
        .setFrom(send.getTo())
        .setCorrelationId("echo")
        .setSenderFencingToken(7)
        .setPayload(send.getPayload().concat(ByteString.copyFromUtf8("\u001b[2J")))
        .build();
  }

  private static RuntimeException error(Code code, String reason) {
    ErrorInfo info =
        ErrorInfo.newBuilder()
            .setDomain("holdfast.dev")
            .setReason(reason)
            .putMetadata("held_since", "2026-11-30T10:00:00Z")
            .build();
    RetryInfo retry =
        RetryInfo.newBuilder().setRetryDelay(Duration.newBuilder().setSeconds(12)).build();
    return StatusProto.toStatusRuntimeException(
        Status.newBuilder()
            .setCode(code.getNumber())
            .setMessage("because")
            .addDetails(Any.pack(info))
            .addDetails(Any.pack(retry))
            .build());
  }

  @Override
  public void close() {
    server.shutdownNow();
    try {
      server.awaitTermination(5, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
