package dev.holdfast.bench;

import dev.holdfast.protocol.gateway.v1.Agent;
import dev.holdfast.protocol.gateway.v1.ConnectRequest;
import dev.holdfast.protocol.gateway.v1.ConnectionServiceGrpc;
import dev.holdfast.protocol.gateway.v1.ConnectionServiceGrpc.ConnectionServiceStub;
import dev.holdfast.protocol.gateway.v1.InitConnection;
import dev.holdfast.protocol.gateway.v1.Principal;
import io.grpc.Channel;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.MetadataUtils;

/**
 * A server of {@code ConnectionService} on loopback, in plaintext.
 *
 * @param address host and port
 * @param apiKey sent with every call; the bare server ignores it
 */
record Target(String address, String apiKey) {
  private static final Metadata.Key<String> API_KEY =
      Metadata.Key.of("x-api-key", Metadata.ASCII_STRING_MARSHALLER);

  /** A bare server on {@code port}. */
  static Target bare(int port) {
    return new Target("127.0.0.1:" + port, "none");
  }

  /** A new channel: one HTTP/2 connection of its own, grpc-java's defaults. */
  ManagedChannel channel() {
    return NettyChannelBuilder.forTarget(address).usePlaintext().build();
  }

  /** Calls over {@code channel} with the API key. */
  ConnectionServiceStub stub(Channel channel) {
    Metadata headers = new Metadata();
    headers.put(API_KEY, apiKey);
    return ConnectionServiceGrpc.newStub(channel)
        .withInterceptors(MetadataUtils.newAttachHeadersInterceptor(headers));
  }

  /** The first frame of agent {@code specifier} in the workspace {@code bench}. */
  static ConnectRequest init(String specifier) {
    Agent agent =
        Agent.newBuilder()
            .setWorkspace("bench")
            .setImplementation("bench")
            .setSpecifier(specifier)
            .build();
    InitConnection init =
        InitConnection.newBuilder()
            .setPrincipal(Principal.newBuilder().setAgent(agent))
            .setClientAgent("holdfast-bench")
            .build();
    return ConnectRequest.newBuilder().setInit(init).build();
  }

  /** Does not show the API key. */
  @Override
  public String toString() {
    return address;
  }
}
