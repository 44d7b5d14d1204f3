package dev.holdfast.gateway.testing;

import java.io.File;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.net.InetAddress;
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
 * A Redis process of one test, which may hang, die and come back on the same port. Not thread-safe.
 */
public final class OwnRedis implements AutoCloseable {
  private static final String LOOPBACK = "127.0.0.1";

  private final Path directory;
  private final File executable;
  private final int port;
  private final List<String> options;
  private Process process;

  /** Starts a server on a free port, with options of {@code redis-server}. */
  public OwnRedis(String... options) throws IOException, InterruptedException {
    this.options = List.of(options);
    directory = Files.createTempDirectory("own-redis");
    executable = ExecutableProvider.newJarResourceProvider(directory.toFile()).get();
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = socket.getLocalPort();
    }
    process = launch();
  }

  public String url() {
    return "redis://" + LOOPBACK + ":" + port;
  }

  /** Makes it hang: it keeps its connections and answers nothing. */
  public void pause() throws IOException, InterruptedException {
    signal("STOP");
  }

  /** Ends {@link #pause}. */
  public void resume() throws IOException, InterruptedException {
    signal("CONT");
  }

  /** Kills it; it forgets everything. */
  public void kill() {
    process.destroyForcibly().onExit().join();
  }

  /** Starts it again, empty, on the same port. */
  public void restart() throws IOException, InterruptedException {
    kill();
    process = launch();
  }

  @Override
  public void close() throws IOException {
    process.destroyForcibly().onExit().join();
    try (Stream<Path> paths = Files.walk(directory)) {
      for (Path path : paths.sorted((a, b) -> b.compareTo(a)).toList()) {
        Files.delete(path);
      }
    }
  }

  private void signal(String name) throws IOException, InterruptedException {
    new ProcessBuilder("kill", "-" + name, Long.toString(process.pid())).start().waitFor();
  }

  private Process launch() throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.addAll(List.of(executable.getPath(), "--bind", LOOPBACK));
    command.addAll(List.of("--port", Integer.toString(port), "--dir", directory.toString()));
    command.addAll(List.of("--save", ""));
    command.addAll(options);
    Process started =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(Redirect.DISCARD)
            .start();
    while (!accepts()) {
      if (started.waitFor(5, TimeUnit.MILLISECONDS)) {
        throw new IOException("redis-server ended with " + started.exitValue());
      }
    }
    return started;
  }

  private boolean accepts() {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      return socket.isConnected();
    } catch (IOException e) {
      return false;
    }
  }
}
