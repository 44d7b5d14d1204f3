package dev.holdfast.client;

import io.grpc.ManagedChannel;
import io.grpc.Server;
import io.grpc.inprocess.InProcessChannelBuilder;
import io.grpc.inprocess.InProcessServerBuilder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.random.RandomGenerator;

/** A client and a scripted gateway on one thread, under a fake clock. */
final class Rig implements AutoCloseable {
  static final Principal AGENT = new Principal.Agent("acme", "builder", "7");
  static final Duration SILENCE_LIMIT = Duration.ofSeconds(15);
  static final Backoff BACKOFF =
      new Backoff(Duration.ofSeconds(1), 2, Duration.ofSeconds(16), Duration.ofSeconds(30));

  final FakeClock clock = new FakeClock();
  final ScriptedGateway gateway = new ScriptedGateway();
  final RecordingListener listener = new RecordingListener();
  final HoldfastClient client;
  double draw = 0.5;
  boolean applicationIsBusy;

  /** Whether the application's executor is as fast as an executor can be. */
  boolean applicationRunsAtOnce;

  private final List<Runnable> waiting = new ArrayList<>();
  private final Server server;
  private final ManagedChannel channel;

  Rig() {
    String name = InProcessServerBuilder.generateName();
    try {
      server =
          InProcessServerBuilder.forName(name)
              .directExecutor()
              .addService(gateway)
              .intercept(gateway)
              .build()
              .start();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    channel = InProcessChannelBuilder.forName(name).directExecutor().build();
    client =
        new HoldfastClient(
            channel,
            "key-1",
            new ClientRuntime(
                this::execute, clock, clock::nanoTime, random(), BACKOFF, SILENCE_LIMIT),
            () -> {});
  }

  /** Draws what the test set last. */
  private RandomGenerator random() {
    return new RandomGenerator() {
      @Override
      public long nextLong() {
        throw new UnsupportedOperationException();
      }

      @Override
      public double nextDouble() {
        return draw;
      }
    };
  }

  /** Runs what the application does, unless it is busy. */
  private void execute(Runnable command) {
    if (applicationIsBusy) {
      waiting.add(command);
    } else if (applicationRunsAtOnce) {
      command.run();
    } else {
      clock.execute(command);
    }
  }

  /** The application goes on where it was. */
  void applicationIsBack() {
    applicationIsBusy = false;
    waiting.forEach(clock::execute);
    waiting.clear();
    clock.settle();
  }

  ConnectOptions.Builder options() {
    return ConnectOptions.builder().listener(listener);
  }

  /** Begins to connect; the gateway has the first frame. */
  CompletableFuture<Connection> connect(ConnectOptions options) {
    return connect(AGENT, options);
  }

  CompletableFuture<Connection> connect(Principal principal, ConnectOptions options) {
    CompletableFuture<Connection> connecting =
        client.connect(principal, options).toCompletableFuture();
    clock.settle();
    return connecting;
  }

  /** A connection that holds its identity with session {@code s1} and token 10. */
  Connection held(ConnectOptions options) {
    CompletableFuture<Connection> connecting = connect(options);
    gateway.newest().ack("s1", 10, false);
    clock.settle();
    return connecting.join();
  }

  Connection held() {
    return held(options().build());
  }

  void advance(Duration by) {
    clock.advance(by);
  }

  @Override
  public void close() {
    channel.shutdownNow();
    server.shutdownNow();
  }
}
