package dev.holdfast.gateway.connection;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** A network between client and gateway that can be cut, or swallow everything without a word. */
final class FreezableProxy implements AutoCloseable {
  private final ServerSocket listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
  private final List<Socket> sockets = new CopyOnWriteArrayList<>();
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final int target;
  private volatile boolean frozen;

  FreezableProxy(int target) throws IOException {
    this.target = target;
    threads.execute(this::accept);
  }

  int port() {
    return listener.getLocalPort();
  }

  /** Swallows every byte from now on; the connections stay open. */
  void freeze() {
    frozen = true;
  }

  /** Closes every connection. */
  void cut() throws IOException {
    for (Socket socket : sockets) {
      socket.close();
    }
  }

  @Override
  public void close() throws IOException {
    listener.close();
    cut();
    threads.shutdownNow();
  }

  private void accept() {
    try {
      while (true) {
        Socket client = listener.accept();
        Socket server = new Socket(InetAddress.getLoopbackAddress(), target);
        sockets.add(client);
        sockets.add(server);
        threads.execute(() -> pump(client, server));
        threads.execute(() -> pump(server, client));
      }
    } catch (IOException e) {
      // The proxy was closed.
    }
  }

  private void pump(Socket from, Socket to) {
    byte[] buffer = new byte[8192];
    try (InputStream in = from.getInputStream();
        OutputStream out = to.getOutputStream()) {
      for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
        if (!frozen) {
          out.write(buffer, 0, n);
          out.flush();
        }
      }
    } catch (IOException e) {
      // One side is gone; closing both streams tells the other.
    }
  }
}
