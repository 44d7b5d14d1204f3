package dev.holdfast.systemtests;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.systemtests.harness.GatewayProcess;
import dev.holdfast.systemtests.suite.FaultyCluster;
import dev.holdfast.systemtests.suite.Suite;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A gateway that must not start says why in one line of its log, and is never ready. */
@ExtendWith(Suite.class)
final class StartIT {
  private final FaultyCluster cluster;

  StartIT(FaultyCluster cluster) {
    this.cluster = cluster;
  }

  @ParameterizedTest
  @CsvSource({
    "holdfast.lock.ttl, banana, banana",
    "holdfast.lock.refresh-interval, 2s, holdfast.lock.ttl",
    "holdfast.grpc.host, 0.0.0.0, holdfast.grpc.allow-plaintext",
    "holdfast.access.key-file, no-such-file, no-such-file"
  })
  void start_withAMistake_failsWithOneLineThatNamesIt(String key, String value, String named) {
    try (GatewayProcess gateway = cluster.another().set(key, value).launch()) {
      Awaitility.await("the complaint")
          .atMost(Duration.ofMinutes(1))
          .until(() -> !complaints(gateway.log(), key, named).isEmpty());
      assertThat(complaints(gateway.log(), key, named)).hasSize(1);
      assertThat(gateway.status("/health/ready")).isNotEqualTo(200);
      assertThat(gateway.status("/health/started")).isNotEqualTo(200);
    }
  }

  private static List<String> complaints(Path log, String key, String named) {
    if (!Files.exists(log)) {
      return List.of();
    }
    try {
      return Files.readAllLines(log).stream()
          .filter(line -> line.contains(key) && line.contains(named))
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
