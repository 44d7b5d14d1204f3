package dev.holdfast.systemtests.harness;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * A TCP proxy on loopback that stands for the network between a client and a server.
 *
 * <p>It starts forwarding. Thread-safe.
 */
public final class CutProxy implements AutoCloseable {
  private static final int BUFFER_BYTES = 16 * 1024;

  private enum Mode {
    /** Bytes pass; the end of one direction ends both. */
    FORWARDING,
    /** Nothing passes, and nobody is told: bytes wait, also the end of a stream. */
    SILENT,
    /** What clients send passes, what servers answer is lost, also the end of a stream. */
    REPLIES_LOST,
    /** Connections are closed on both sides, new ones as soon as they come. */
    CUT
  }

  private final int targetPort;
  private final ServerSocket listener;
  private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();

  /** Sockets to the server that stay open although their client is gone. */
  private final Set<Socket> halfOpen = ConcurrentHashMap.newKeySet();

  private final Map<Socket, Socket> serversByClient = new ConcurrentHashMap<>();
  private final ExecutorService threads;
  private Mode mode = Mode.FORWARDING;
  private Duration latency = Duration.ZERO;

  private CutProxy(int targetPort, ServerSocket listener) {
    this.targetPort = targetPort;
    this.listener = listener;
    this.threads =
        Executors.newCachedThreadPool(
            task -> {
              Thread thread = new Thread(task, "proxy-to-" + targetPort);
              thread.setDaemon(true);
              return thread;
            });
  }

  /** Starts a proxy to a port on loopback. */
  public static CutProxy to(int targetPort) {
    try {
      InetAddress loopback = InetAddress.getLoopbackAddress();
      CutProxy proxy = new CutProxy(targetPort, new ServerSocket(0, 128, loopback));
      proxy.threads.execute(proxy::accept);
      return proxy;
    } catch (IOException e) {
      throw new UncheckedIOException("no free TCP port on loopback", e);
    }
  }

  /** Returns the port that clients are to use instead of the server's. */
  public int port() {
    return listener.getLocalPort();
  }

  /** Closes all connections and every new one, until {@link #heal}. */
  public void cut() {
    enter(Mode.CUT);
    sockets.forEach(CutProxy::closeQuietly);
  }

  /**
   * Cuts off the clients of this moment, without telling the server: their connections become
   * half-open. New connections pass.
   */
  public void strand() {
    serversByClient.forEach(
        (client, server) -> {
          halfOpen.add(server);
          closeQuietly(client);
        });
  }

  /** Stops forwarding without closing anything (half-open TCP), until {@link #heal}. */
  public void blackHole() {
    enter(Mode.SILENT);
  }

  /**
   * Loses what servers answer, while requests pass. {@link #heal} closes the connections, as their
   * clients could not make sense of the rest.
   */
  public void loseReplies() {
    enter(Mode.REPLIES_LOST);
  }

  /** Forwards again, first what waited in a {@link #blackHole}. */
  public void heal() {
    if (losesReplies()) {
      cut();
    }
    enter(Mode.FORWARDING);
  }

  /** Delays every piece of data by {@code delay}, in each direction. */
  public synchronized void delay(Duration delay) {
    latency = delay;
  }

  @Override
  public void close() {
    closeQuietly(listener);
    cut();
    threads.shutdownNow();
  }

  private synchronized void enter(Mode next) {
    mode = next;
    notifyAll();
  }

  private void accept() {
    while (!listener.isClosed()) {
      try {
        connect(listener.accept());
      } catch (IOException e) {
        // The listener was closed, or the server refuses: its client has been closed.
      }
    }
  }

  private void connect(Socket client) throws IOException {
    Socket server = new Socket();
    sockets.add(client);
    sockets.add(server);
    serversByClient.put(client, server);
    try {
      server.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), targetPort));
      client.setTcpNoDelay(true);
      server.setTcpNoDelay(true);
    } catch (IOException e) {
      forget(client, server);
      throw e;
    }
    if (isCut()) {
      forget(client, server);
      return;
    }
    threads.execute(() -> pump(client, server, false));
    threads.execute(() -> pump(server, client, true));
  }

  private void pump(Socket from, Socket to, boolean replies) {
    byte[] buffer = new byte[BUFFER_BYTES];
    try {
      InputStream in = from.getInputStream();
      OutputStream out = to.getOutputStream();
      int count;
      while ((count = in.read(buffer)) >= 0) {
        Thread.sleep(latency().toMillis());
        if (!awaitPassage()) {
          break;
        }
        if (!replies || !losesReplies()) {
          out.write(buffer, 0, count);
        }
      }
      awaitPassage(); // in a black hole, the end of a stream waits as well
    } catch (IOException e) {
      awaitPassage(); // and so does a reset
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    forget(from, to);
  }

  /** Waits while nothing may pass, and returns whether the connection is to live on. */
  private synchronized boolean awaitPassage() {
    try {
      while (mode == Mode.SILENT) {
        wait();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
    return mode != Mode.CUT;
  }

  private synchronized boolean losesReplies() {
    return mode == Mode.REPLIES_LOST;
  }

  private synchronized Duration latency() {
    return latency;
  }

  private synchronized boolean isCut() {
    return mode == Mode.CUT;
  }

  private void forget(Socket one, Socket other) {
    serversByClient.remove(one);
    serversByClient.remove(other);
    forget(one);
    forget(other);
  }

  private void forget(Socket socket) {
    if (!halfOpen.contains(socket)) {
      closeQuietly(socket);
      sockets.remove(socket);
    }
  }

  private static void closeQuietly(AutoCloseable socket) {
    try {
      socket.close();
    } catch (Exception e) {
      // Already broken: that is what was wanted.
    }
  }
}
