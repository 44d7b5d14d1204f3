package dev.holdfast.gateway.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.gateway.access.ApiKeys;
import dev.holdfast.gateway.access.AuthInterceptor;
import dev.holdfast.gateway.access.FailureThrottle;
import dev.holdfast.gateway.config.ClientAuth;
import dev.holdfast.gateway.config.ConfigException;
import dev.holdfast.gateway.config.GatewayConfig;
import dev.holdfast.gateway.testing.FakeClock;
import dev.holdfast.gateway.testing.RecordingMeters;
import dev.holdfast.protocol.gateway.v1.ConnectRequest;
import dev.holdfast.protocol.gateway.v1.ConnectResponse;
import dev.holdfast.protocol.gateway.v1.ConnectionServiceGrpc;
import io.grpc.Channel;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.health.v1.HealthCheckRequest;
import io.grpc.health.v1.HealthCheckResponse.ServingStatus;
import io.grpc.health.v1.HealthGrpc;
import io.grpc.netty.GrpcSslContexts;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.MetadataUtils;
import io.grpc.stub.StreamObserver;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import java.net.InetAddress;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSession;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
final class GrpcEndpointTest {
  private static final String HOST = "127.0.0.1";

  private final FakeClock clock = new FakeClock();
  private final GrpcThreads threads = new GrpcThreads();
  private final List<GrpcEndpoint> started = new ArrayList<>();
  private final List<ManagedChannel> channels = new ArrayList<>();

  @AfterEach
  void stop() throws InterruptedException {
    channels.forEach(ManagedChannel::shutdownNow);
    for (GrpcEndpoint endpoint : started) {
      endpoint.stop(Duration.ZERO);
    }
    threads.close();
  }

  @Test
  void health_isOpenToAllAndFollowsTheGateway() {
    GrpcEndpoint endpoint = start(settings(HOST, 0), Optional.empty());
    Channel channel = plaintext(endpoint);

    assertThat(health(channel)).isEqualTo(ServingStatus.NOT_SERVING);
    endpoint.setServing(true);
    assertThat(health(channel)).isEqualTo(ServingStatus.SERVING);
    endpoint.announceEnd();
    endpoint.setServing(true);
    assertThat(health(channel)).isEqualTo(ServingStatus.NOT_SERVING);
  }

  @Test
  void connect_withTheKey_reachesTheService() throws Exception {
    GrpcEndpoint endpoint = start(settings(HOST, 0), Optional.empty());

    assertThat(connect(plaintext(endpoint), "right").get(10, TimeUnit.SECONDS))
        .isEqualTo(Status.Code.OK);
  }

  @Test
  void connect_withoutTheKey_doesNot() throws Exception {
    GrpcEndpoint endpoint = start(settings(HOST, 0), Optional.empty());
    CompletableFuture<Status.Code> outcome = connect(plaintext(endpoint), "wrong");
    while (!outcome.isDone()) {
      clock.advance(Duration.ofMillis(100));
      Thread.onSpinWait();
    }

    assertThat(outcome).isCompletedWithValue(Status.Code.UNAUTHENTICATED);
  }

  @Test
  void start_portInUse_namesTheKeys() {
    GrpcEndpoint first = start(settings(HOST, 0), Optional.empty());
    GrpcEndpoint second = endpoint(settings(HOST, first.port()), Optional.empty());

    assertThatThrownBy(second::start)
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("holdfast.grpc.port")
        .hasMessageContaining(HOST + ":" + first.port());
  }

  @Test
  void plaintext_beyondLoopback_needsToBeAllowed() {
    assertThatThrownBy(() -> endpoint(settings("0.0.0.0", 0), Optional.empty()))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("holdfast.grpc.host is '0.0.0.0'")
        .hasMessageContaining("holdfast.grpc.ssl")
        .hasMessageContaining("holdfast.grpc.allow-plaintext");
  }

  @Test
  void tls_changedKeyMaterial_isShownToNewHandshakesOnly(@TempDir Path directory) throws Exception {
    TestKeys old = TestKeys.create(directory, "old");
    TestKeys renewed = TestKeys.create(directory, "renewed");
    AtomicReference<SSLContext> source = new AtomicReference<>(old.contextTrusting(old));
    ReloadingSslContext tls = new ReloadingSslContext(source::get, ClientAuth.NONE);
    GrpcEndpoint endpoint = start(settings(HOST, 0), Optional.of(tls));
    Channel before = encrypted(endpoint, client(old));
    assertThat(health(before)).isEqualTo(ServingStatus.NOT_SERVING);

    assertThat(tls.reload()).isFalse();
    source.set(renewed.contextTrusting(old));
    assertThat(tls.reload()).isTrue();

    assertThat(health(before)).isEqualTo(ServingStatus.NOT_SERVING);
    assertThat(health(encrypted(endpoint, client(renewed)))).isEqualTo(ServingStatus.NOT_SERVING);
    assertThat(subjectShownBy(endpoint, renewed)).isEqualTo("CN=renewed");
    assertThatThrownBy(() -> health(encrypted(endpoint, client(old))))
        .isInstanceOf(StatusRuntimeException.class);
  }

  @Test
  void mutualTls_clientWithoutCertificate_isRefused(@TempDir Path directory) throws Exception {
    TestKeys server = TestKeys.create(directory, "server");
    TestKeys trusted = TestKeys.create(directory, "trusted");
    SSLContext material = server.contextTrusting(trusted);
    ReloadingSslContext tls = new ReloadingSslContext(() -> material, ClientAuth.REQUIRED);
    GrpcEndpoint endpoint = start(settings(HOST, 0), Optional.of(tls));

    SslContext known = client(server, trusted);
    SslContext stranger = client(server, server);

    assertThat(health(encrypted(endpoint, known))).isEqualTo(ServingStatus.NOT_SERVING);
    assertThatThrownBy(() -> health(encrypted(endpoint, stranger)))
        .isInstanceOf(StatusRuntimeException.class);
    assertThatThrownBy(() -> health(encrypted(endpoint, client(server))))
        .isInstanceOf(StatusRuntimeException.class);
  }

  private GrpcEndpoint start(GatewayConfig.Grpc settings, Optional<SslContext> tls) {
    GrpcEndpoint endpoint = endpoint(settings, tls);
    endpoint.start();
    started.add(endpoint);
    return endpoint;
  }

  private GrpcEndpoint endpoint(GatewayConfig.Grpc settings, Optional<SslContext> tls) {
    AuthInterceptor authentication =
        new AuthInterceptor(
            ApiKeys.trial("right"),
            new FailureThrottle(clock.ticker()),
            clock,
            new RecordingMeters());
    return new GrpcEndpoint(
        settings,
        threads,
        1024 * 1024,
        tls,
        new GrpcEndpoint.Services(authentication, List.of(new EndsAtOnce()), List.of()));
  }

  private static GatewayConfig.Grpc settings(String host, int port) {
    Map<String, String> values =
        Map.of("holdfast.grpc.host", host, "holdfast.grpc.port", Integer.toString(port));
    return GatewayConfig.read(name -> Optional.ofNullable(values.get(name))).grpc();
  }

  private Channel plaintext(GrpcEndpoint endpoint) {
    return keep(NettyChannelBuilder.forAddress(HOST, endpoint.port()).usePlaintext().build());
  }

  private Channel encrypted(GrpcEndpoint endpoint, SslContext tls) {
    return keep(
        NettyChannelBuilder.forAddress(HOST, endpoint.port())
            .overrideAuthority("localhost")
            .sslContext(tls)
            .build());
  }

  private Channel keep(ManagedChannel channel) {
    channels.add(channel);
    return channel;
  }

  private static SslContext client(TestKeys trusted) throws Exception {
    return GrpcSslContexts.configure(SslContextBuilder.forClient())
        .trustManager(trusted.trust())
        .build();
  }

  private static SslContext client(TestKeys trusted, TestKeys own) throws Exception {
    return GrpcSslContexts.configure(SslContextBuilder.forClient())
        .trustManager(trusted.trust())
        .keyManager(own.keys())
        .build();
  }

  private static String subjectShownBy(GrpcEndpoint endpoint, TestKeys trusted) throws Exception {
    SSLContext context = trusted.contextTrusting(trusted);
    InetAddress host = InetAddress.getLoopbackAddress();
    try (SSLSocket socket =
        (SSLSocket) context.getSocketFactory().createSocket(host, endpoint.port())) {
      socket.startHandshake();
      SSLSession session = socket.getSession();
      return ((X509Certificate) session.getPeerCertificates()[0])
          .getSubjectX500Principal()
          .getName();
    }
  }

  private static ServingStatus health(Channel channel) {
    return HealthGrpc.newBlockingStub(channel)
        .withDeadlineAfter(10, TimeUnit.SECONDS)
        .check(HealthCheckRequest.getDefaultInstance())
        .getStatus();
  }

  private static CompletableFuture<Status.Code> connect(Channel channel, String key) {
    Metadata headers = new Metadata();
    headers.put(AuthInterceptor.API_KEY, key);
    CompletableFuture<Status.Code> outcome = new CompletableFuture<>();
    StreamObserver<ConnectRequest> unused =
        ConnectionServiceGrpc.newStub(channel)
            .withInterceptors(MetadataUtils.newAttachHeadersInterceptor(headers))
            .connect(
                new StreamObserver<>() {
                  @Override
                  public void onNext(ConnectResponse response) {}

                  @Override
                  public void onError(Throwable failure) {
                    outcome.complete(Status.fromThrowable(failure).getCode());
                  }

                  @Override
                  public void onCompleted() {
                    outcome.complete(Status.Code.OK);
                  }
                });
    return outcome;
  }

  private static final class EndsAtOnce extends ConnectionServiceGrpc.ConnectionServiceImplBase {
    @Override
    public StreamObserver<ConnectRequest> connect(StreamObserver<ConnectResponse> responses) {
      responses.onCompleted();
      return new StreamObserver<>() {
        @Override
        public void onNext(ConnectRequest request) {}

        @Override
        public void onError(Throwable failure) {}

        @Override
        public void onCompleted() {}
      };
    }
  }
}
