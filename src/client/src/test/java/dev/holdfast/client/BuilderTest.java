package dev.holdfast.client;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.grpc.InsecureChannelCredentials;
import java.nio.file.Path;
import java.time.Duration;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

class BuilderTest {
  @Test
  void client_badSettings_areRefusedNamingThem() {
    refused(() -> HoldfastClient.builder().apiKey("k").build(), "target is not set");
    refused(() -> HoldfastClient.builder().target("h:1").build(), "apiKey is not set");
    refused(() -> HoldfastClient.builder().target(""), "target must not be empty");
    refused(() -> HoldfastClient.builder().apiKey("two words"), "apiKey must be");
    refused(
        () -> HoldfastClient.builder().keepAlive(Duration.ofSeconds(9), Duration.ofSeconds(1)),
        "time must be from PT10S to PT1H but is PT9S");
    refused(
        () -> HoldfastClient.builder().maxInboundMessageBytes(5),
        "maxInboundMessageBytes must be from 65536 to 1073741824 but is 5");
  }

  @Test
  void client_badTls_isRefused() {
    refused(
        () -> withKey().trustCertificates(Path.of("no-such.pem")).build(),
        "can't be read: no-such");
    refused(
        () -> withKey().plaintext().trustCertificates(Path.of("ca.pem")).build(),
        "can't be combined");
    refused(
        () ->
            withKey()
                .credentials(InsecureChannelCredentials.create())
                .clientCertificate(Path.of("c.pem"), Path.of("k.pem"))
                .build(),
        "can't be combined");
  }

  @Test
  void client_defaults_build() {
    withKey().build().close();
  }

  @Test
  void options_badValues_areRefusedNamingThem() {
    refused(
        () -> ConnectOptions.builder().connectTimeout(Duration.ZERO),
        "connectTimeout must be from PT0.01S to PT10M but is PT0S");
    refused(
        () -> ConnectOptions.builder().retryOnDuplicate(Duration.ofSeconds(-1)),
        "retryOnDuplicate must be from PT0S to PT24H but is PT-1S");
    refused(
        () -> ConnectOptions.builder().inboxCapacity(0),
        "inboxCapacity must be from 1 to 100000 but is 0");
    refused(
        () -> ConnectOptions.builder().maxUnreceipted(100_001),
        "maxUnreceipted must be from 1 to 100000 but is 100001");
  }

  private static HoldfastClient.Builder withKey() {
    return HoldfastClient.builder().target("localhost:1").apiKey("k");
  }

  private static void refused(ThrowingCallable call, String message) {
    assertThatThrownBy(call)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(message);
  }
}
