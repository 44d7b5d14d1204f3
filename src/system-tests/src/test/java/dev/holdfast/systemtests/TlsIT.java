package dev.holdfast.systemtests;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.systemtests.driver.End;
import dev.holdfast.systemtests.driver.Principals;
import dev.holdfast.systemtests.driver.RawClient;
import dev.holdfast.systemtests.driver.RawConnection;
import dev.holdfast.systemtests.harness.GatewayProcess;
import dev.holdfast.systemtests.suite.FaultyCluster;
import dev.holdfast.systemtests.suite.Suite;
import dev.holdfast.systemtests.suite.TestCertificate;
import dev.holdfast.systemtests.suite.TestKeys;
import io.grpc.ChannelCredentials;
import io.grpc.InsecureChannelCredentials;
import io.grpc.Status;
import io.grpc.TlsChannelCredentials;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** TLS and client certificates from Liberty's own configuration. */
@ExtendWith(Suite.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class TlsIT {
  private static final String SERVER_XML =
      """
      <server>
        <keyStore id="testKeys" type="PKCS12" location="%1$s/%3$s" password="%2$s"
                  updateTrigger="polled" pollingRate="500ms"/>
        <keyStore id="testTrust" type="PKCS12" location="%1$s/trust.p12" password="%2$s"/>
        <ssl id="testSSL" keyStoreRef="testKeys" trustStoreRef="testTrust"
             sslProtocol="TLSv1.2,TLSv1.3"/>
      </server>
      """;

  private final TestCertificate server;
  private final TestCertificate nextServer;
  private final TestCertificate client;
  private final TestCertificate stranger;
  private final Path stores;
  private final GatewayProcess tls;
  private final GatewayProcess mutualTls;

  TlsIT(FaultyCluster cluster, @TempDir Path directory) throws IOException {
    stores = directory;
    server = TestCertificate.make(directory, "server");
    nextServer = TestCertificate.make(directory, "next-server");
    client = TestCertificate.make(directory, "client");
    stranger = TestCertificate.make(directory, "stranger");
    client.writeTrustStore(directory.resolve("trust.p12"));
    Files.copy(server.keyStore(), directory.resolve("live.p12"));
    tls = gateway(cluster, "none", "live.p12").launch();
    mutualTls = gateway(cluster, "required", "server.p12").launch();
    GatewayProcess.awaitReady(List.of(tls, mutualTls));
  }

  @AfterAll
  void stopGateways() {
    tls.close();
    mutualTls.close();
  }

  @Test
  void tls_withAnotherCertificateTrusted_doesNotConnect() {
    assertUnavailable(tls, trusting(stranger).build());
  }

  @Test
  void tls_forAClientInPlaintext_doesNotConnect() {
    assertUnavailable(tls, InsecureChannelCredentials.create());
  }

  @Test
  void mutualTls_withATrustedClientCertificate_connects() {
    ChannelCredentials shown = trusting(server).keyManager(client.keyManagers()).build();
    try (RawClient secure = connectTo(mutualTls, shown)) {
      assertThat(secure.connect(Principals.freshAgent()).isHeld()).isTrue();
    }
  }

  @Test
  void mutualTls_withoutClientCertificate_doesNotConnect() {
    assertUnavailable(mutualTls, trusting(server).build());
  }

  @Test
  void mutualTls_withAnUntrustedClientCertificate_doesNotConnect() {
    assertUnavailable(mutualTls, trusting(server).keyManager(stranger.keyManagers()).build());
  }

  /** Clients connect; a new certificate is shown to new clients; who is connected stays so. */
  @Test
  void tls_withACertificateThatChanges_connectsBeforeAndAfterWithoutARestart() throws IOException {
    try (RawClient old = connectTo(tls, trusting(server).build())) {
      RawConnection held = old.connect(Principals.freshAgent()).held();

      Files.copy(
          nextServer.keyStore(), stores.resolve("live.p12"), StandardCopyOption.REPLACE_EXISTING);

      Awaitility.await("the new certificate")
          .atMost(Duration.ofSeconds(20))
          .until(
              () -> {
                try (RawClient fresh = connectTo(tls, trusting(nextServer).build())) {
                  return fresh.connect(Principals.freshAgent()).isHeld();
                }
              });
      assertThat(held.isOpen()).isTrue();
    }
  }

  private GatewayProcess.Builder gateway(
      FaultyCluster cluster, String clientAuth, String keyStore) {
    String xml = SERVER_XML.formatted(stores, TestCertificate.PASSWORD, keyStore);
    return cluster
        .another()
        .override("tls.xml", xml)
        .set("holdfast.grpc.ssl", "testSSL")
        .set("holdfast.grpc.client-auth", clientAuth);
  }

  private static TlsChannelCredentials.Builder trusting(TestCertificate certificate) {
    return TlsChannelCredentials.newBuilder().trustManager(certificate.trustManagers());
  }

  private static RawClient connectTo(GatewayProcess gateway, ChannelCredentials credentials) {
    return RawClient.withCredentials("localhost:" + gateway.grpcPort(), TestKeys.ALL, credentials);
  }

  private static void assertUnavailable(GatewayProcess gateway, ChannelCredentials credentials) {
    try (RawClient client = connectTo(gateway, credentials)) {
      End end = client.connect(Principals.freshAgent()).end();
      assertThat(end.code()).as(end.toString()).isEqualTo(Status.Code.UNAVAILABLE);
    }
  }
}
