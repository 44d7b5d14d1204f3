package dev.holdfast.gateway.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class GatewayConfigTest {
  private static final Map<String, String> OTHER_VALUES =
      Map.ofEntries(
          Map.entry("holdfast.gateway.id", "gw-1"),
          Map.entry("holdfast.gateway.advertised-address", "gw-1.example:7400"),
          Map.entry("holdfast.grpc.host", "0.0.0.0"),
          Map.entry("holdfast.grpc.port", "7401"),
          Map.entry("holdfast.grpc.ssl", "grpcSSL"),
          Map.entry("holdfast.grpc.client-auth", "required"),
          Map.entry("holdfast.grpc.allow-plaintext", "TRUE"),
          Map.entry("holdfast.grpc.reflection", "false"),
          Map.entry("holdfast.grpc.keepalive-time", "1m"),
          Map.entry("holdfast.grpc.keepalive-timeout", "1500ms"),
          Map.entry("holdfast.connection.init-timeout", "7s"),
          Map.entry("holdfast.connection.max", "10"),
          Map.entry("holdfast.lock.ttl", "1m"),
          Map.entry("holdfast.lock.refresh-interval", "11s"),
          Map.entry("holdfast.lock.safety-margin", "3s"),
          Map.entry("holdfast.redis.url", "redis://localhost:1"),
          Map.entry("holdfast.redis.command-timeout", "1s"),
          Map.entry("holdfast.access.key-file", "etc/keys"),
          Map.entry("holdfast.message.max-payload", "1KiB"),
          Map.entry("holdfast.message.queue-capacity", "9"),
          Map.entry("holdfast.message.queue-bytes", "1MiB"),
          Map.entry("holdfast.message.delivery-timeout", "6s"),
          Map.entry("holdfast.admin.timeout", "4s"),
          Map.entry("holdfast.shutdown.timeout", "19s"));

  @Test
  void read_nothing_givesTheDefaults() {
    GatewayConfig config = read(Map.of());

    assertThat(config.gateway())
        .isEqualTo(new GatewayConfig.Gateway(Optional.empty(), Optional.empty()));
    assertThat(config.grpc())
        .isEqualTo(
            new GatewayConfig.Grpc(
                "127.0.0.1",
                7400,
                Optional.empty(),
                ClientAuth.NONE,
                false,
                true,
                Duration.ofSeconds(10),
                Duration.ofSeconds(5)));
    assertThat(config.connection())
        .isEqualTo(new GatewayConfig.Connection(Duration.ofSeconds(5), 50_000));
    assertThat(config.lock())
        .isEqualTo(
            new GatewayConfig.Lock(
                Duration.ofSeconds(30), Duration.ofSeconds(10), Duration.ofSeconds(2)));
    assertThat(config.redis().embedded()).isTrue();
    assertThat(config.access().keyFile()).isEmpty();
    assertThat(config.adminTimeout()).isEqualTo(Duration.ofSeconds(5));
    assertThat(config.shutdownTimeout()).isEqualTo(Duration.ofSeconds(20));
  }

  @Test
  void read_everyKey_isMapped() {
    GatewayConfig config = read(OTHER_VALUES);

    assertThat(config)
        .isEqualTo(
            new GatewayConfig(
                new GatewayConfig.Gateway(Optional.of("gw-1"), Optional.of("gw-1.example:7400")),
                new GatewayConfig.Grpc(
                    "0.0.0.0",
                    7401,
                    Optional.of("grpcSSL"),
                    ClientAuth.REQUIRED,
                    true,
                    false,
                    Duration.ofMinutes(1),
                    Duration.ofMillis(1500)),
                new GatewayConfig.Connection(Duration.ofSeconds(7), 10),
                new GatewayConfig.Lock(
                    Duration.ofMinutes(1), Duration.ofSeconds(11), Duration.ofSeconds(3)),
                new GatewayConfig.Redis(
                    Optional.of("redis://localhost:1"), Optional.empty(), Duration.ofSeconds(1)),
                new GatewayConfig.Access(Optional.of(Path.of("etc/keys"))),
                new GatewayConfig.Message(1024, 9, 1024 * 1024, Duration.ofSeconds(6)),
                Duration.ofSeconds(4),
                Duration.ofSeconds(19)));
  }

  @Test
  void read_redisConfigFile_isMapped() {
    GatewayConfig config = read(Map.of("holdfast.redis.config-file", "etc/redisson.yaml"));

    assertThat(config.redis().configFile()).contains(Path.of("etc/redisson.yaml"));
    assertThat(config.redis().embedded()).isFalse();
  }

  @Test
  void mappingTest_coversEveryKey() {
    Set<String> covered = new HashSet<>(OTHER_VALUES.keySet());
    covered.add("holdfast.redis.config-file");

    assertThat(covered)
        .isEqualTo(ConfigKeys.all().stream().map(ConfigKey::name).collect(Collectors.toSet()));
  }

  @ParameterizedTest
  @CsvSource({
    "holdfast.gateway.id, a b",
    "holdfast.grpc.host, ''",
    "holdfast.grpc.port, 65536",
    "holdfast.grpc.port, -1",
    "holdfast.grpc.port, http",
    "holdfast.grpc.client-auth, maybe",
    "holdfast.grpc.allow-plaintext, yes",
    "holdfast.grpc.reflection, on",
    "holdfast.grpc.keepalive-time, 9999ms",
    "holdfast.grpc.keepalive-timeout, 6m",
    "holdfast.connection.init-timeout, 5",
    "holdfast.connection.max, 0",
    "holdfast.lock.ttl, 11m",
    "holdfast.lock.ttl, 9223372036854775807h",
    "holdfast.lock.refresh-interval, 99ms",
    "holdfast.lock.safety-margin, 49ms",
    "holdfast.redis.url, http://localhost",
    "holdfast.redis.command-timeout, 2h",
    "holdfast.message.max-payload, 17MiB",
    "holdfast.message.max-payload, 9223372036854775807KiB",
    "holdfast.message.queue-capacity, 0",
    "holdfast.message.queue-bytes, 1GB",
    "holdfast.message.delivery-timeout, 2m",
    "holdfast.admin.timeout, 1ms",
    "holdfast.shutdown.timeout, 26s",
  })
  void read_wrongValue_namesKeyValueAndRange(String key, String value) {
    ConfigKey<?> wrong =
        ConfigKeys.all().stream().filter(k -> k.name().equals(key)).findFirst().orElseThrow();

    assertThatThrownBy(() -> read(Map.of(key, value)))
        .isInstanceOf(ConfigException.class)
        .hasMessageStartingWith(key + " is '" + value + "': ")
        .hasMessageContaining(wrong.range());
  }

  @Test
  void read_twoRefreshesThatDoNotFitIntoTheLease_isRefused() {
    assertThatThrownBy(() -> read(Map.of("holdfast.lock.ttl", "20s")))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("holdfast.lock.refresh-interval is PT10S");
  }

  @Test
  void read_bothRedisKeys_isRefused() {
    Map<String, String> both =
        Map.of("holdfast.redis.url", "redis://h:1", "holdfast.redis.config-file", "f");

    assertThatThrownBy(() -> read(both))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("both set");
  }

  @Test
  void toString_hidesTheRedisUrl() {
    Map<String, String> secret = Map.of("holdfast.redis.url", "redis://:secret@h:1");

    assertThat(read(secret).toString()).doesNotContain("secret");
  }

  private static GatewayConfig read(Map<String, String> values) {
    Map<String, String> copy = new HashMap<>(values);
    return GatewayConfig.read(name -> Optional.ofNullable(copy.get(name)));
  }
}
