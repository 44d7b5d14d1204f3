package dev.holdfast.systemtests.harness;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.StringJoiner;

/** One connection to a Redis server, speaking as much of RESP 2 as {@link RedisProcess} needs. */
final class RedisConnection implements AutoCloseable {
  private static final int TIMEOUT_MILLIS = 5_000;

  private final Socket socket;
  private final InputStream in;

  RedisConnection(int port) throws IOException {
    socket = new Socket();
    socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), TIMEOUT_MILLIS);
    socket.setSoTimeout(TIMEOUT_MILLIS);
    in = new BufferedInputStream(socket.getInputStream());
  }

  String call(String... words) throws IOException {
    ByteArrayOutputStream request = new ByteArrayOutputStream();
    request.writeBytes(ascii("*" + words.length + "\r\n"));
    for (String word : words) {
      byte[] bytes = word.getBytes(StandardCharsets.UTF_8);
      request.writeBytes(ascii("$" + bytes.length + "\r\n"));
      request.writeBytes(bytes);
      request.writeBytes(ascii("\r\n"));
    }
    OutputStream out = socket.getOutputStream();
    request.writeTo(out);
    out.flush();
    return reply();
  }

  private String reply() throws IOException {
    String line = line();
    String rest = line.substring(1);
    return switch (line.charAt(0)) {
      case '+', ':' -> rest;
      case '$' -> bulk(Integer.parseInt(rest));
      case '*' -> list(Integer.parseInt(rest));
      default -> throw new IllegalStateException("Redis answered: " + line);
    };
  }

  private String bulk(int length) throws IOException {
    if (length < 0) {
      return "(nil)";
    }
    byte[] bytes = in.readNBytes(length + 2);
    if (bytes.length < length + 2) {
      throw new EOFException("Redis closed the connection");
    }
    return new String(bytes, 0, length, StandardCharsets.UTF_8);
  }

  private String list(int length) throws IOException {
    StringJoiner elements = new StringJoiner("\n");
    for (int i = 0; i < length; i++) {
      elements.add(reply());
    }
    return elements.toString();
  }

  private String line() throws IOException {
    ByteArrayOutputStream line = new ByteArrayOutputStream();
    int next;
    while ((next = in.read()) != '\r') {
      if (next < 0) {
        throw new EOFException("Redis closed the connection");
      }
      line.write(next);
    }
    in.skipNBytes(1);
    return line.toString(StandardCharsets.UTF_8);
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
