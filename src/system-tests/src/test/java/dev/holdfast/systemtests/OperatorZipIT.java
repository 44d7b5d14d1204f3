package dev.holdfast.systemtests;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.systemtests.driver.Principals;
import dev.holdfast.systemtests.harness.ChildProcess;
import dev.holdfast.systemtests.harness.Ports;
import dev.holdfast.systemtests.suite.Clients;
import dev.holdfast.systemtests.suite.OperatorZip;
import dev.holdfast.systemtests.suite.SharedCluster;
import dev.holdfast.systemtests.suite.Suite;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;

/** The zip for operators: no Redis of its own, configured by environment variables. */
@ExtendWith(Suite.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class OperatorZipIT {
  private static final Duration LIMIT = Duration.ofMinutes(1);

  private final SharedCluster cluster;
  private final OperatorZip zip = new OperatorZip();

  OperatorZipIT(SharedCluster cluster) {
    this.cluster = cluster;
  }

  @AfterAll
  void deleteZip() {
    zip.close();
  }

  @Test
  void zip_holdsNoRedis() {
    assertThat(zip.files()).isNotEmpty().noneMatch(file -> file.contains("redis-server"));
    assertThat(zip.files()).noneMatch(file -> file.contains("embedded-redis"));
  }

  @Test
  void start_withoutRedis_saysWhichKeyIsMissing() {
    try (ChildProcess server = zip.start(environment())) {
      String line = server.awaitLine(l -> l.contains("holdfast.redis.url"), LIMIT);
      assertThat(line).contains("Redis");
    }
  }

  @Test
  void start_withRedisFromTheEnvironment_joinsTheDeployment() {
    Map<String, String> environment = environment();
    environment.put("HOLDFAST_REDIS_URL", cluster.redis().url());
    environment.put("HOLDFAST_ACCESS_KEY_FILE", cluster.keyFile().toString());
    try (ChildProcess server = zip.start(environment);
        Clients clients = new Clients()) {
      int port = Integer.parseInt(environment.getOrDefault("HOLDFAST_GRPC_PORT", ""));
      server.awaitLine(l -> l.contains("CWWKF0011I"), LIMIT);
      Awaitility.await("an ack from the operators' server")
          .atMost(LIMIT)
          .until(() -> clients.toPort(port).connect(Principals.freshAgent()).isHeld());
      server.terminate();
      assertThat(server.awaitExit(LIMIT)).isTrue();
    }
  }

  private static Map<String, String> environment() {
    Map<String, String> environment = new HashMap<>();
    environment.put("HOLDFAST_GRPC_PORT", Integer.toString(Ports.free()));
    environment.put("HOLDFAST_HTTP_PORT", Integer.toString(Ports.free()));
    return environment;
  }
}
