package dev.holdfast.systemtests.harness;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import redis.embedded.core.ExecutableProvider;

/**
 * A Redis server of our own on loopback, which keeps its port when it is restarted.
 *
 * <p>Not thread-safe: one test drives it.
 */
public final class RedisProcess implements AutoCloseable {
  private static final Duration START_LIMIT = Duration.ofSeconds(20);

  private final TempDirectory directory = TempDirectory.create("redis");
  private final int port = Ports.free();
  private final boolean persistent;
  private final String executable;
  private ChildProcess process;

  private RedisProcess(boolean persistent) {
    this.persistent = persistent;
    this.executable = executableIn(directory.path());
    this.process = launch();
  }

  /** Starts a server that forgets everything when it stops. */
  public static RedisProcess start() {
    return new RedisProcess(false);
  }

  /** Starts a server that writes every change to disk before it answers. */
  public static RedisProcess startPersistent() {
    return new RedisProcess(true);
  }

  public int port() {
    return port;
  }

  /** Returns the address in the form that the gateway's {@code holdfast.redis.url} takes. */
  public String url() {
    return "redis://127.0.0.1:" + port;
  }

  /**
   * Sends one command and returns its reply as text: a list is one line per element, nil is {@code
   * (nil)}.
   *
   * @throws IllegalStateException if Redis answers with an error
   */
  public String command(String... words) {
    try (RedisConnection connection = new RedisConnection(port)) {
      return connection.call(words);
    } catch (IOException e) {
      throw new UncheckedIOException("Redis on port " + port + " does not answer", e);
    }
  }

  /** Stops the server in good order; does nothing if it has ended. */
  public void stop() {
    process.terminate();
    if (!process.awaitExit(Duration.ofSeconds(10))) {
      process.kill9();
    }
    process.close();
  }

  /** Kills the server without warning. */
  public void kill9() {
    process.kill9();
    process.close();
  }

  /** Starts the server again after {@link #stop} or {@link #kill9}, on the same port and data. */
  public void startAgain() {
    if (process.isAlive()) {
      throw new IllegalStateException("Redis on port " + port + " still runs");
    }
    process = launch();
  }

  /** Freezes the server: clients keep their connections and get no answer. */
  public void pause() {
    process.pause();
  }

  public void resume() {
    process.resume();
  }

  @Override
  public void close() {
    process.close();
    directory.close();
  }

  private ChildProcess launch() {
    ChildProcess started = ChildProcess.start("redis-" + port, new ProcessBuilder(arguments()));
    if (!Deadline.after(START_LIMIT).await(() -> !started.isAlive() || answers())
        || !started.isAlive()) {
      String problem = started.describe("was not ready within " + START_LIMIT.toSeconds() + " s");
      started.close();
      throw new IllegalStateException(problem);
    }
    return started;
  }

  private List<String> arguments() {
    return List.of(
        executable,
        "--port",
        Integer.toString(port),
        "--bind",
        "127.0.0.1",
        "--dir",
        directory.path().toString(),
        "--save",
        "",
        "--appendonly",
        persistent ? "yes" : "no",
        "--appendfsync",
        "always");
  }

  private boolean answers() {
    try (RedisConnection connection = new RedisConnection(port)) {
      return connection.call("PING").equals("PONG");
    } catch (IOException | IllegalStateException e) {
      return false; // not yet listening, or still loading its data
    }
  }

  private static String executableIn(Path directory) {
    try {
      return ExecutableProvider.newJarResourceProvider(directory.toFile()).get().getPath();
    } catch (IOException e) {
      throw new UncheckedIOException("no Redis binary for this system in embedded-redis", e);
    }
  }
}
