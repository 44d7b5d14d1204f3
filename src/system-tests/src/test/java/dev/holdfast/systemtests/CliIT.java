package dev.holdfast.systemtests;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.systemtests.driver.Principals;
import dev.holdfast.systemtests.driver.RawConnection;
import dev.holdfast.systemtests.harness.ChildProcess;
import dev.holdfast.systemtests.harness.GatewayProcess;
import dev.holdfast.systemtests.suite.Clients;
import dev.holdfast.systemtests.suite.Repository;
import dev.holdfast.systemtests.suite.SharedCluster;
import dev.holdfast.systemtests.suite.Suite;
import dev.holdfast.systemtests.suite.TestKeys;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The {@code holdfast} command, from its jar, against two gateways. */
@ExtendWith(Suite.class)
final class CliIT {
  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final int REFUSED = 3;
  private static final int NOT_ALLOWED = 4;
  private static final int ENDED_BY_FORCE = 6;

  @AutoClose private final Clients clients = new Clients();
  private final SharedCluster cluster;

  CliIT(SharedCluster cluster) {
    this.cluster = cluster;
  }

  @Test
  void connect_holdsTheIdentityUntilItIsKickedFromTheOtherGateway() {
    try (ChildProcess holder = run(cluster.first(), "connect", "agent/acme/cli/1");
        ChildProcess second = run(cluster.second(), "gateways")) {
      String held = holder.awaitLine(line -> line.startsWith("connected "), LIMIT);
      assertExit(second, 0);
      assertThat(second.output()).anyMatch(line -> line.contains(cluster.first().id()));

      try (ChildProcess refused = run(cluster.second(), "connect", "agent/acme/cli/1");
          ChildProcess list = run(cluster.second(), "connections", "ls", "--output=json")) {
        assertExit(refused, REFUSED);
        assertThat(refused.output()).anyMatch(line -> line.contains("DUPLICATE_IDENTITY"));
        assertExit(list, 0);
        assertThat(String.join("", list.output())).contains(sessionIn(held), "agent/acme/cli/1");
      }
      try (ChildProcess kick = run(cluster.second(), "connections", "kick", sessionIn(held))) {
        assertExit(kick, 0);
        assertThat(cluster.locks().isHeld("agent/acme/cli/1")).isFalse();
      }
      assertExit(holder, ENDED_BY_FORCE);
    }
  }

  @Test
  void connect_sendsWhatIsTypedAndPrintsWhatArrives() {
    RawConnection other = clients.to(cluster.second()).connect(Principals.freshAgent()).held();
    try (ChildProcess holder = run(cluster.first(), "connect", "agent/acme/cli/2")) {
      holder.awaitLine(line -> line.startsWith("connected "), LIMIT);

      holder.writeLine(other.ack().getIdentity() + " hello there");
      String receipt = holder.awaitLine(line -> line.startsWith("receipt "), LIMIT);
      other.message("m-1", "agent/acme/cli/2", "hello back");
      String message = holder.awaitLine(line -> line.startsWith("message "), LIMIT);

      assertThat(receipt).contains("accepted=true");
      assertThat(other.messages()).hasSize(1);
      assertThat(other.messages().get(0).getPayload().toStringUtf8()).isEqualTo("hello there");
      assertThat(message).contains("hello back", other.ack().getIdentity());
      holder.terminate();
      assertThat(holder.awaitExit(LIMIT)).isTrue();
      assertThat(cluster.locks().isHeld("agent/acme/cli/2")).isFalse();
    }
  }

  @Test
  void connect_withAnUnknownKey_saysSoByItsExitCode() {
    List<String> command = command("connect", "agent/acme/cli/3");
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.environment().putAll(environment(cluster.first()));
    builder.environment().put("HOLDFAST_API_KEY", "hf_no-such-key");
    try (ChildProcess refused = ChildProcess.start("holdfast", builder)) {
      assertExit(refused, NOT_ALLOWED);
      assertThat(refused.output()).noneMatch(line -> line.contains("hf_no-such-key"));
    }
  }

  private static ChildProcess run(GatewayProcess gateway, String... arguments) {
    ProcessBuilder builder = new ProcessBuilder(command(arguments));
    builder.environment().putAll(environment(gateway));
    return ChildProcess.start("holdfast", builder);
  }

  private static List<String> command(String... arguments) {
    Path java = Path.of(System.getProperty("java.home"), "bin", "java");
    List<String> command = new ArrayList<>();
    command.add(java.toString());
    command.add("-XX:TieredStopAtLevel=1");
    command.add("-jar");
    command.add(Repository.find("src/cli/target/holdfast.jar").toString());
    command.addAll(List.of(arguments));
    if (arguments[0].equals("connect")) {
      command.add("--plaintext");
    }
    return command;
  }

  private static Map<String, String> environment(GatewayProcess gateway) {
    return Map.of(
        "HOLDFAST_TARGET", gateway.grpcTarget(),
        "HOLDFAST_API_KEY", TestKeys.ALL,
        "HOLDFAST_ADMIN_URL", gateway.http().toString(),
        "HOLDFAST_ADMIN_USER", gateway.adminUser(),
        "HOLDFAST_ADMIN_PASSWORD", gateway.adminPassword());
  }

  private static void assertExit(ChildProcess process, int status) {
    assertThat(process.awaitExit(LIMIT)).isTrue();
    assertThat(process.exitStatus()).as(String.join("\n", process.output())).isEqualTo(status);
  }

  private static String sessionIn(String connected) {
    int start = connected.indexOf("session=") + "session=".length();
    return connected.substring(start, start + "conn-".length() + 32);
  }
}
