package dev.holdfast.cli;

import dev.holdfast.client.Connection;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Sends each line of the input that reads {@code IDENTITY TEXT}, on a thread of its own. */
final class LineSender {
  private static final int MAX_WAITING = 100;

  private final InputStream input;
  private final Connection connection;
  private final HeldIdentity held;
  private final PrintWriter errors;
  private final boolean closeAtEnd;
  private final List<CompletableFuture<Void>> waiting = new ArrayList<>();

  LineSender(
      InputStream input,
      Connection connection,
      HeldIdentity held,
      PrintWriter errors,
      boolean closeAtEnd) {
    this.input = input;
    this.connection = connection;
    this.held = held;
    this.errors = errors;
    this.closeAtEnd = closeAtEnd;
  }

  void start() {
    Thread reader = new Thread(this::run, "holdfast-input");
    reader.setDaemon(true); // a read from the terminal can't be interrupted
    reader.start();
  }

  private void run() {
    try {
      BufferedReader lines =
          new BufferedReader(new InputStreamReader(input, StandardCharsets.UTF_8));
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        send(line.strip());
      }
    } catch (IOException e) {
      complain("the input can't be read any more: " + e.getMessage());
    }
    awaitReceipts();
    if (closeAtEnd) {
      connection.close();
    }
  }

  private void send(String line) {
    int space = line.indexOf(' ');
    if (line.isEmpty()) {
      return;
    }
    if (space < 0) {
      complain("a line is IDENTITY TEXT, but this one is '" + Text.printable(line) + "'");
      return;
    }
    String to = line.substring(0, space);
    byte[] payload = line.substring(space + 1).getBytes(StandardCharsets.UTF_8);
    try {
      waiting.add(
          connection
              .send(to, payload, "text/plain;charset=utf-8")
              .thenAccept(receipt -> held.receipt(to, receipt))
              .toCompletableFuture());
    } catch (IllegalArgumentException e) {
      complain(String.valueOf(e.getMessage()));
    }
    if (waiting.size() >= MAX_WAITING) {
      awaitReceipts();
    }
  }

  private void awaitReceipts() {
    waiting.forEach(CompletableFuture::join);
    waiting.clear();
  }

  private void complain(String message) {
    errors.println(message);
    errors.flush();
  }
}
