package dev.holdfast.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** A process of a benchmark; it ends with {@link #close()} or with this process. Thread-safe. */
final class ChildProcess implements AutoCloseable {
  private final Process process;
  private final Thread hook;

  private ChildProcess(Process process) {
    this.process = process;
    this.hook = new Thread(process::destroyForcibly);
    Runtime.getRuntime().addShutdownHook(hook);
  }

  /**
   * Starts {@code command}; its output is discarded.
   *
   * @param environment added to this process's environment
   * @param errors where its error stream goes
   */
  static ChildProcess start(
      List<String> command, Map<String, String> environment, ProcessBuilder.Redirect errors) {
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.environment().putAll(environment);
    builder.redirectOutput(ProcessBuilder.Redirect.DISCARD);
    builder.redirectError(errors);
    try {
      return new ChildProcess(builder.start());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Starts {@code main} from this process's own class path in a JVM of its own, which shares our
   * error stream.
   */
  static ChildProcess java(
      Class<?> main, List<String> jvm, Map<String, String> environment, String... arguments) {
    List<String> command = new ArrayList<>(List.of(javaCommand()));
    command.addAll(jvm);
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
    command.addAll(List.of(arguments));
    return start(command, environment, ProcessBuilder.Redirect.INHERIT);
  }

  /** The {@code java} that runs this process. */
  static String javaCommand() {
    return Path.of(System.getProperty("java.home"), "bin", "java").toString();
  }

  /** A loopback port that nobody listens on. */
  static int freePort() {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Kills the process as {@code kill -9} does, without waiting for its end.
   *
   * @return when, as {@link System#nanoTime()} just before the signal
   */
  long kill() {
    long before = System.nanoTime();
    process.destroyForcibly();
    return before;
  }

  /**
   * Does nothing while the process lives.
   *
   * @throws BenchmarkException if it has ended
   */
  void requireAlive() {
    if (!process.isAlive()) {
      throw new BenchmarkException("the process ended early with exit code " + process.exitValue());
    }
  }

  @Override
  public void close() {
    process.destroyForcibly();
    try {
      process.waitFor();
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (IllegalStateException e) {
      // This JVM is ending; the hook does the same.
    }
  }
}
