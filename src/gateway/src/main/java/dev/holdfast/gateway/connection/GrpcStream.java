package dev.holdfast.gateway.connection;

import dev.holdfast.gateway.error.GatewayException;
import dev.holdfast.gateway.error.GrpcErrors;
import dev.holdfast.protocol.gateway.v1.ConnectResponse;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.util.Optional;

/** A client's stream on a gRPC call. */
final class GrpcStream implements ClientStream {
  private final ServerCall<InboundFrame, ConnectResponse> call;
  private final TransportEnd transport;
  private boolean headersSent; // Confined to the one writer.

  GrpcStream(ServerCall<InboundFrame, ConnectResponse> call, TransportEnd transport) {
    this.call = call;
    this.transport = transport;
  }

  @Override
  public boolean isReady() {
    return call.isReady();
  }

  @Override
  public void send(ConnectResponse frame) {
    if (call.isCancelled()) {
      return;
    }
    if (!headersSent) {
      headersSent = true;
      call.sendHeaders(new Metadata());
    }
    call.sendMessage(frame);
  }

  @Override
  public void end(Optional<GatewayException> error) {
    if (error.isEmpty()) {
      call.close(Status.OK, new Metadata());
      return;
    }
    StatusRuntimeException status = GrpcErrors.toStatus(error.get());
    call.close(status.getStatus(), GrpcErrors.trailersOf(status));
  }

  @Override
  public void requestFrames(int count) {
    call.request(count);
  }

  @Override
  public void reset() {
    transport.reset();
  }
}
