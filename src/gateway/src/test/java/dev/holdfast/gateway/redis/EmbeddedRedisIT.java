package dev.holdfast.gateway.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.ProcessBuilder.Redirect;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

class EmbeddedRedisIT {
  /** A gateway that only starts its Redis, and waits to be killed. */
  static final class Victim {
    public static void main(String[] arguments) throws IOException {
      EmbeddedRedis server = EmbeddedRedis.start();
      System.out.println(server.port());
      System.in.read();
    }
  }

  @Test
  @DisabledOnOs(value = OS.WINDOWS, disabledReason = "there is no POSIX shell to watch")
  void killedOutright_leavesNeitherProcessNorFiles(@TempDir Path directory) throws Exception {
    Process victim =
        new ProcessBuilder(
                ProcessHandle.current().info().command().orElseThrow(),
                "-Djava.io.tmpdir=" + directory,
                "-cp",
                System.getProperty("java.class.path"),
                Victim.class.getName())
            .redirectError(Redirect.DISCARD)
            .start();
    int port;
    try (BufferedReader out =
        new BufferedReader(
            new InputStreamReader(victim.getInputStream(), StandardCharsets.UTF_8))) {
      port = Integer.parseInt(out.readLine());
      assertThat(accepts(port)).isTrue();
      victim.destroyForcibly().waitFor();
    }

    await().atMost(Duration.ofSeconds(10)).until(() -> !accepts(port) && isEmpty(directory));
  }

  private static boolean accepts(int port) {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      return socket.isConnected();
    } catch (IOException e) {
      return false;
    }
  }

  private static boolean isEmpty(Path directory) throws IOException {
    try (var entries = Files.list(directory)) {
      return entries.noneMatch(entry -> entry.getFileName().toString().startsWith("holdfast"));
    }
  }
}
