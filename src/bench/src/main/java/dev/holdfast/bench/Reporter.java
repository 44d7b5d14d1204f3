package dev.holdfast.bench;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/**
 * Tells the measuring process what a process under measurement saw, one line per event, so that
 * every time is read from the measuring process's clock.
 *
 * <p>Thread-safe. The process ends when the measuring process is gone: no benchmark leaves one
 * behind.
 */
final class Reporter {
  /** The system property that holds the port of the measuring process. */
  static final String PORT_PROPERTY = "holdfast.bench.report-port";

  private final Socket socket;

  private Reporter(Socket socket) {
    this.socket = socket;
  }

  /** Connects to the measuring process that {@link #PORT_PROPERTY} names. */
  static Reporter connect() {
    try {
      Socket socket =
          new Socket(InetAddress.getLoopbackAddress(), Integer.getInteger(PORT_PROPERTY));
      socket.setTcpNoDelay(true);
      Thread watch = new Thread(() -> exitAtEnd(socket), "bench-reporter");
      watch.setDaemon(true);
      watch.start();
      return new Reporter(socket);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Sends one event about {@code id}. */
  synchronized void report(String event, String id) {
    try {
      socket.getOutputStream().write((event + ' ' + id + '\n').getBytes(StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void exitAtEnd(Socket socket) {
    try (InputStream in = socket.getInputStream()) {
      in.transferTo(OutputStream.nullOutputStream());
    } catch (IOException e) {
      // The measuring process was killed: the same as its orderly end.
    }
    Runtime.getRuntime().halt(0);
  }
}
