package dev.holdfast.systemtests.harness;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;

/** Free TCP ports on loopback. Thread-safe. */
public final class Ports {
  private static final Set<Integer> HANDED_OUT = ConcurrentHashMap.newKeySet();

  private Ports() {}

  /** Returns a port that nobody listened on when asked, and that this JVM gets only once. */
  public static int free() {
    while (true) {
      int port = unused();
      if (HANDED_OUT.add(port)) {
        return port;
      }
    }
  }

  /** Returns those of the ports handed out on which somebody listens now. */
  public static Set<Integer> inUse() {
    return HANDED_OUT.stream().filter(Ports::isListening).collect(Collectors.toSet());
  }

  private static boolean isListening(int port) {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      return socket.getLocalPort() != port; // else TCP has connected the socket to itself
    } catch (IOException e) {
      return false;
    }
  }

  private static int unused() {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    } catch (IOException e) {
      throw new UncheckedIOException("no free TCP port on loopback", e);
    }
  }
}
