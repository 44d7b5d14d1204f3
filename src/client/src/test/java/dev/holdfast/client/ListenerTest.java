package dev.holdfast.client;

import static dev.holdfast.client.ConnectionState.HELD;
import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.Grpc;
import io.grpc.InsecureServerCredentials;
import io.grpc.Server;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Listeners that throw, block, or call back. */
@Timeout(30)
class ListenerTest {
  private static final String PEER = "service/mailer/1";

  @Test
  void listenerThrows_theConnectionGoesOn() {
    Logger log = Logger.getLogger("dev.holdfast.client");
    log.setLevel(Level.OFF); // the stack trace is expected
    try (Rig rig = new Rig()) {
      RecordingListener listener =
          new RecordingListener() {
            @Override
            public void onMessage(Connection connection, ReceivedMessage message) {
              super.onMessage(connection, message);
              throw new IllegalStateException("the application's own mistake");
            }
          };
      Connection connection =
          rig.held(ConnectOptions.builder().listener(listener).inboxCapacity(2).build());
      rig.gateway.newest().message(PEER, 1, "a", new byte[0]);
      rig.gateway.newest().message(PEER, 1, "b", new byte[0]);
      rig.clock.settle();

      assertThat(listener.messages).hasSize(2);
      assertThat(rig.gateway.newest().granted()).isEqualTo(2);
      assertThat(connection.state()).isEqualTo(HELD);
    } finally {
      log.setLevel(null);
    }
  }

  /** F18, F20: over one real HTTP/2 connection, with more unread bytes than its window holds. */
  @Test
  void f18_slowListener_doesNotStallOtherIdentitiesOnTheSameTransport() throws Exception {
    ScriptedGateway gateway = new ScriptedGateway();
    Server server =
        Grpc.newServerBuilderForPort(0, InsecureServerCredentials.create())
            .addService(gateway)
            .build()
            .start();
    CountDownLatch release = new CountDownLatch(1);
    try (HoldfastClient client =
        HoldfastClient.builder()
            .target("localhost:" + server.getPort())
            .apiKey("k")
            .plaintext()
            .build()) {
      CompletableFuture<String> heard = new CompletableFuture<>();
      ScriptedGateway.Stream slow = connect(client, gateway, blocking(release));
      ScriptedGateway.Stream fast = connect(client, gateway, answering(heard));
      byte[] big = new byte[100_000];
      for (int i = 0; i < ConnectOptions.DEFAULT_INBOX_CAPACITY; i++) {
        slow.message(PEER, 1, "m" + i, big); // 6.4 MB in all
      }
      fast.message(PEER, 1, "through", big);

      assertThat(heard.get(20, TimeUnit.SECONDS)).isEqualTo("through");
      assertThat(slow.granted()).isZero();
      await(() -> slow.responses.isReady()); // everything left the gateway
      release.countDown();
      gateway.streams.forEach(s -> s.responses.onCompleted());
    } finally {
      release.countDown();
      server.shutdownNow();
    }
  }

  /** A listener may wait for what it starts itself. */
  @Test
  void listenerWaitsForAReceipt_getsIt() throws Exception {
    ScriptedGateway gateway = new ScriptedGateway();
    Server server =
        Grpc.newServerBuilderForPort(0, InsecureServerCredentials.create())
            .addService(gateway)
            .build()
            .start();
    try (HoldfastClient client =
        HoldfastClient.builder()
            .target("localhost:" + server.getPort())
            .apiKey("k")
            .plaintext()
            .build()) {
      CompletableFuture<Receipt> receipt = new CompletableFuture<>();
      ConnectionListener listener =
          new ConnectionListener() {
            @Override
            public void onMessage(Connection connection, ReceivedMessage message) {
              var sending = connection.send("echo", message.from(), message.payload(), "");
              receipt.complete(sending.toCompletableFuture().join());
            }
          };
      ScriptedGateway.Stream stream = connect(client, gateway, listener);
      stream.message(PEER, 1, "m", new byte[0]);
      await(() -> !stream.sends().isEmpty());
      stream.accept("echo");

      assertThat(receipt.get(20, TimeUnit.SECONDS).accepted()).isTrue();
      stream.responses.onCompleted();
    } finally {
      server.shutdownNow();
    }
  }

  private static ScriptedGateway.Stream connect(
      HoldfastClient client, ScriptedGateway gateway, ConnectionListener listener) {
    int before = gateway.streams.size();
    CompletableFuture<Connection> connecting =
        client
            .connect(Rig.AGENT, ConnectOptions.builder().listener(listener).build())
            .toCompletableFuture();
    await(() -> gateway.streams.size() > before && !gateway.newest().requests.isEmpty());
    gateway.newest().ack("s" + before, 1, false);
    connecting.join();
    return gateway.newest();
  }

  private static void await(BooleanSupplier condition) {
    while (!condition.getAsBoolean()) {
      Thread.onSpinWait();
    }
  }

  private static ConnectionListener blocking(CountDownLatch release) {
    return new ConnectionListener() {
      @Override
      public void onMessage(Connection connection, ReceivedMessage message) {
        try {
          release.await();
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
        }
      }
    };
  }

  private static ConnectionListener answering(CompletableFuture<String> heard) {
    return new ConnectionListener() {
      @Override
      public void onMessage(Connection connection, ReceivedMessage message) {
        heard.complete(message.correlationId());
      }
    };
  }
}
