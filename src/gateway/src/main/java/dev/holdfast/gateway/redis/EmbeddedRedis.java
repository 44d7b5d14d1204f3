package dev.holdfast.gateway.redis;

import dev.holdfast.gateway.config.ConfigException;
import dev.holdfast.gateway.config.ConfigKeys;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import redis.embedded.core.ExecutableProvider;

/**
 * A real Redis on a free loopback port, for trials and tests: it keeps nothing on disk and ends
 * with this process.
 *
 * <p>Where there is a POSIX shell, the server runs under a small watcher that waits for the end of
 * its standard input. The other end of that pipe is open in this process only, so Redis ends, and
 * its files go, even if this process is killed outright. Elsewhere it ends with an orderly stop
 * only.
 */
public final class EmbeddedRedis implements AutoCloseable {
  private static final String LOOPBACK = "127.0.0.1";
  private static final long START_SECONDS = 10;
  private static final long STOP_SECONDS = 5;
  private static final long POLL_MILLIS = 10;
  private static final Path SHELL = Path.of("/bin/sh");
  private static final String WATCHER =
      "directory=$1; shift; \"$@\" </dev/null & redis=$!; read -r end;"
          + " kill -9 $redis; wait $redis 2>/dev/null; rm -rf \"$directory\"";

  private final Process process;
  private final Path directory;
  private final int port;

  private EmbeddedRedis(Process process, Path directory, int port) {
    this.process = process;
    this.directory = directory;
    this.port = port;
  }

  /**
   * Starts a server and waits until it accepts connections.
   *
   * @throws ConfigException if this server has no Redis in it
   */
  public static EmbeddedRedis start() {
    try {
      Path directory = Files.createTempDirectory("holdfast-redis");
      File executable = ExecutableProvider.newJarResourceProvider(directory.toFile()).get();
      EmbeddedRedis server = launch(executable, directory, freePort());
      RedisLog.embeddedStarted(server.port);
      return server;
    } catch (IOException e) {
      throw new UncheckedIOException("the embedded Redis cannot be started", e);
    } catch (NoClassDefFoundError e) {
      throw new ConfigException(
          "This server has no embedded Redis; set %s or %s."
              .formatted(ConfigKeys.REDIS_URL.name(), ConfigKeys.REDIS_CONFIG_FILE.name()));
    }
  }

  /** Returns the port on 127.0.0.1. */
  public int port() {
    return port;
  }

  /** Returns where other gateways of the same trial find it. */
  public String url() {
    return "redis://" + LOOPBACK + ":" + port;
  }

  private static EmbeddedRedis launch(File executable, Path directory, int port)
      throws IOException {
    List<String> command = new ArrayList<>();
    if (Files.isExecutable(SHELL)) {
      command.addAll(List.of(SHELL.toString(), "-c", WATCHER, "holdfast-redis"));
      command.add(directory.toString());
    }
    command.addAll(List.of(executable.getPath(), "--bind", LOOPBACK));
    command.addAll(List.of("--port", Integer.toString(port), "--dir", directory.toString()));
    command.addAll(List.of("--save", "", "--appendonly", "no"));
    Process process =
        new ProcessBuilder(command)
            .directory(directory.toFile())
            .redirectErrorStream(true)
            .redirectOutput(Redirect.to(directory.resolve("redis.log").toFile()))
            .start();
    EmbeddedRedis server = new EmbeddedRedis(process, directory, port);
    server.awaitReady();
    return server;
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  private void awaitReady() throws IOException {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(START_SECONDS);
    while (!accepts()) {
      if (!pause() || System.nanoTime() - deadline > 0) {
        String log = Files.readString(directory.resolve("redis.log"));
        close();
        throw new IOException("no answer on " + url() + "; its log says: " + log);
      }
    }
  }

  private boolean accepts() {
    try (Socket socket = new Socket()) {
      socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  private boolean pause() {
    try {
      return !process.waitFor(POLL_MILLIS, TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  /** Kills the server and removes its directory. */
  @Override
  public void close() {
    try {
      process.getOutputStream().close();
      if (!Files.isExecutable(SHELL) || !process.waitFor(STOP_SECONDS, TimeUnit.SECONDS)) {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly().waitFor(STOP_SECONDS, TimeUnit.SECONDS);
      }
      deleteDirectory();
    } catch (IOException e) {
      RedisLog.embeddedLeftBehind(directory.toString(), e.toString());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void deleteDirectory() throws IOException {
    if (!Files.exists(directory)) { // The watcher was here.
      return;
    }
    try (Stream<Path> paths = Files.walk(directory)) {
      for (Path path : paths.sorted((a, b) -> b.compareTo(a)).toList()) {
        Files.delete(path);
      }
    }
  }
}
