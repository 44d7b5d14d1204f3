package dev.holdfast.gateway.server;

import dev.holdfast.gateway.config.ConfigException;
import dev.holdfast.gateway.config.ConfigKeys;
import dev.holdfast.gateway.config.GatewayConfig;
import io.grpc.BindableService;
import io.grpc.Server;
import io.grpc.ServerInterceptor;
import io.grpc.ServerInterceptors;
import io.grpc.ServerStreamTracer;
import io.grpc.health.v1.HealthCheckResponse.ServingStatus;
import io.grpc.netty.NettyServerBuilder;
import io.grpc.protobuf.services.HealthStatusManager;
import io.grpc.protobuf.services.ProtoReflectionServiceV1;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.handler.ssl.SslContext;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * The gRPC port: grpc-java on Netty, with health and, if configured, reflection beside the
 * gateway's own services.
 *
 * <p>Handlers run on the event loops, so none of them may block. Start and stop are called once
 * each; everything else is thread-safe.
 */
final class GrpcEndpoint {
  // A client that closes the streams of hundreds of identities at once is no attack; one that
  // opens and resets thousands a second is.
  private static final int MAX_RESETS = 10_000;
  private static final int MAX_RESETS_SECONDS = 10;
  private static final int MAX_HEADER_BYTES = 8 * 1024;
  private static final int LAST_SECONDS = 1;
  private static final int FLOW_CONTROL_WINDOW_BYTES = 1024 * 1024;
  private static final Duration HANDSHAKE_TIMEOUT = Duration.ofSeconds(10);
  private static final Duration SHORTEST_CLIENT_PING_INTERVAL = Duration.ofSeconds(1);

  private final GatewayConfig.Grpc config;
  private final HealthStatusManager health = new HealthStatusManager();
  private final Server server;

  /**
   * Prepares the port without opening it.
   *
   * @param threads outlive the endpoint
   * @param maxMessageBytes the largest message that is read at all
   * @param tls key material; empty for plaintext
   * @throws ConfigException if the address may not be used in plaintext
   */
  GrpcEndpoint(
      GatewayConfig.Grpc config,
      GrpcThreads threads,
      int maxMessageBytes,
      Optional<SslContext> tls,
      Services services) {
    InetSocketAddress address = address(config);
    checkProtection(config, address, tls.isPresent());
    this.config = config;
    NettyServerBuilder builder =
        transport(NettyServerBuilder.forAddress(address), config, maxMessageBytes)
            .bossEventLoopGroup(threads.acceptor())
            .workerEventLoopGroup(threads.workers())
            .channelType(NioServerSocketChannel.class);
    tls.ifPresent(builder::sslContext);
    addServices(builder, services);
    this.server = builder.build();
    health.setStatus(HealthStatusManager.SERVICE_NAME_ALL_SERVICES, ServingStatus.NOT_SERVING);
  }

  /**
   * What the port serves.
   *
   * @param authentication every call to {@code protectedServices} passes it first
   * @param tracers see the streams of all calls, before authentication
   */
  record Services(
      ServerInterceptor authentication,
      List<BindableService> protectedServices,
      List<ServerStreamTracer.Factory> tracers) {}

  /**
   * Opens the port.
   *
   * @throws ConfigException if it cannot be opened
   */
  void start() {
    try {
      server.start();
    } catch (IOException e) {
      throw new ConfigException(
          "The gRPC port cannot be opened on %s:%d (%s, %s): %s. Is another gateway running?"
              .formatted(
                  config.host(),
                  config.port(),
                  ConfigKeys.GRPC_HOST.name(),
                  ConfigKeys.GRPC_PORT.name(),
                  causeOf(e)));
    }
  }

  /** Returns the port that is open. */
  int port() {
    return server.getPort();
  }

  /** Tells health watchers whether clients should come here. */
  void setServing(boolean serving) {
    health.setStatus(
        HealthStatusManager.SERVICE_NAME_ALL_SERVICES,
        serving ? ServingStatus.SERVING : ServingStatus.NOT_SERVING);
  }

  /** Tells health watchers that this gateway never serves again. */
  void announceEnd() {
    health.enterTerminalState();
  }

  /**
   * Closes the port: no new streams; those that are open may end by themselves for a while, then
   * they are cancelled.
   */
  void stop(Duration remaining) throws InterruptedException {
    server.shutdown();
    if (!server.awaitTermination(remaining.toMillis(), TimeUnit.MILLISECONDS)) {
      server.shutdownNow();
      server.awaitTermination(LAST_SECONDS, TimeUnit.SECONDS);
    }
  }

  private static InetSocketAddress address(GatewayConfig.Grpc config) {
    try {
      return new InetSocketAddress(InetAddress.getByName(config.host()), config.port());
    } catch (UnknownHostException e) {
      throw new ConfigException(
          "%s is '%s', which is no address of this machine: %s."
              .formatted(ConfigKeys.GRPC_HOST.name(), config.host(), e.getMessage()));
    }
  }

  private static void checkProtection(
      GatewayConfig.Grpc config, InetSocketAddress address, boolean tls) {
    boolean local = address.getAddress().isLoopbackAddress();
    if (!tls && !local && !config.allowPlaintext()) {
      throw new ConfigException(
          ("%s is '%s', where API keys would cross the network in plaintext. Set %s to the id of an"
                  + " <ssl> element, or %s to true if something else protects them.")
              .formatted(
                  ConfigKeys.GRPC_HOST.name(),
                  config.host(),
                  ConfigKeys.GRPC_SSL.name(),
                  ConfigKeys.GRPC_ALLOW_PLAINTEXT.name()));
    }
  }

  private static NettyServerBuilder transport(
      NettyServerBuilder builder, GatewayConfig.Grpc config, int maxMessageBytes) {
    return builder
        .directExecutor()
        .keepAliveTime(config.keepaliveTime().toMillis(), TimeUnit.MILLISECONDS)
        .keepAliveTimeout(config.keepaliveTimeout().toMillis(), TimeUnit.MILLISECONDS)
        .permitKeepAliveTime(SHORTEST_CLIENT_PING_INTERVAL.toMillis(), TimeUnit.MILLISECONDS)
        .permitKeepAliveWithoutCalls(true)
        .maxInboundMessageSize(maxMessageBytes)
        .maxInboundMetadataSize(MAX_HEADER_BYTES)
        .maxRstFramesPerWindow(MAX_RESETS, MAX_RESETS_SECONDS)
        .flowControlWindow(FLOW_CONTROL_WINDOW_BYTES)
        .handshakeTimeout(HANDSHAKE_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
  }

  private void addServices(NettyServerBuilder builder, Services services) {
    services.tracers().forEach(builder::addStreamTracerFactory);
    for (BindableService service : services.protectedServices()) {
      builder.addService(ServerInterceptors.intercept(service, services.authentication()));
    }
    builder.addService(health.getHealthService());
    if (config.reflection()) {
      builder.addService(ProtoReflectionServiceV1.newInstance());
    }
  }

  private static String causeOf(IOException e) {
    Throwable cause = e.getCause() == null ? e : e.getCause();
    return String.valueOf(cause.getMessage());
  }
}
