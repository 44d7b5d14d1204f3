package dev.holdfast.gateway.connection;

import dev.holdfast.gateway.access.Caller;
import dev.holdfast.gateway.access.CallerContext;
import dev.holdfast.protocol.gateway.v1.ConnectRequest;
import dev.holdfast.protocol.gateway.v1.ConnectResponse;
import dev.holdfast.protocol.gateway.v1.ConnectionServiceGrpc;
import io.grpc.BindableService;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.ServerCall;
import io.grpc.ServerServiceDefinition;
import io.grpc.ServiceDescriptor;

/**
 * The {@code ConnectionService} on gRPC: hands streams to {@link Connections}.
 *
 * <p>Runs on the transport's threads and never blocks them. Needs a {@link TransportEnd.Factory}
 * and the caller in {@link CallerContext#CALLER}.
 */
public final class ConnectEndpoint implements BindableService {
  private final Connections connections;
  private final MethodDescriptor<InboundFrame, ConnectResponse> method;

  /**
   * Makes the endpoint.
   *
   * @param maxFrameBytes the largest frame that clients may send, as for {@link TransportEnd}
   */
  public ConnectEndpoint(Connections connections, int maxFrameBytes) {
    this.connections = connections;
    MethodDescriptor<ConnectRequest, ConnectResponse> generated =
        ConnectionServiceGrpc.getConnectMethod();
    this.method =
        generated.toBuilder(new FrameMarshaller(maxFrameBytes), generated.getResponseMarshaller())
            .build();
  }

  @Override
  public ServerServiceDefinition bindService() {
    ServiceDescriptor generated = ConnectionServiceGrpc.getServiceDescriptor();
    ServiceDescriptor.Builder service =
        ServiceDescriptor.newBuilder(generated.getName()).addMethod(method);
    Object schema = generated.getSchemaDescriptor();
    if (schema != null) {
      service.setSchemaDescriptor(schema); // For server reflection.
    }
    return ServerServiceDefinition.builder(service.build())
        .addMethod(method, this::startCall)
        .build();
  }

  private ServerCall.Listener<InboundFrame> startCall(
      ServerCall<InboundFrame, ConnectResponse> call, Metadata headers) {
    Caller caller = CallerContext.CALLER.get();
    if (caller == null) {
      throw new IllegalStateException("a call reached the endpoint without authentication");
    }
    TransportEnd transport = TransportEnd.current();
    Connection connection = connections.open(caller, new GrpcStream(call, transport));
    transport.onTooLarge(
        () -> connection.receive(new InboundFrame.TooLarge(transport.maxFrameBytes())));
    connection.begin();
    return new StreamListener(connection, transport);
  }

  /** Hands what the transport says to the connection. */
  private static final class StreamListener extends ServerCall.Listener<InboundFrame> {
    private final Connection connection;
    private final TransportEnd transport;

    StreamListener(Connection connection, TransportEnd transport) {
      this.connection = connection;
      this.transport = transport;
    }

    @Override
    public void onMessage(InboundFrame frame) {
      connection.receive(frame);
    }

    @Override
    public void onHalfClose() {
      connection.halfClosed();
    }

    @Override
    public void onCancel() {
      connection.streamLost(transport.closure());
    }

    @Override
    public void onComplete() {
      connection.streamCompleted();
    }

    @Override
    public void onReady() {
      connection.outbox().drain();
    }
  }
}
