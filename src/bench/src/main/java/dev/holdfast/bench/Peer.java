package dev.holdfast.bench;

import com.google.protobuf.ByteString;
import dev.holdfast.protocol.gateway.v1.ConnectRequest;
import dev.holdfast.protocol.gateway.v1.ConnectResponse;
import dev.holdfast.protocol.gateway.v1.Message;
import dev.holdfast.protocol.gateway.v1.SendMessage;
import io.grpc.ManagedChannel;
import io.grpc.stub.StreamObserver;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/**
 * A client that holds one identity over a connection of its own and sends and takes messages.
 * Sending is for one thread at a time: the caller's until the first message, the callback's from
 * then on.
 */
final class Peer implements AutoCloseable {
  private final ManagedChannel channel;
  private final StreamObserver<ConnectRequest> requests;
  private final CompletableFuture<String> identity = new CompletableFuture<>();
  private final CompletableFuture<Void> end = new CompletableFuture<>();

  /**
   * Connects as agent {@code specifier}.
   *
   * @param onMessage called for every message, one at a time
   * @param onFailure called when the stream fails or a message is rejected
   */
  Peer(
      Target target,
      String specifier,
      BiConsumer<Peer, Message> onMessage,
      Consumer<Throwable> onFailure) {
    channel = target.channel();
    requests = target.stub(channel).connect(new Responses(onMessage, onFailure));
    requests.onNext(Target.init(specifier));
  }

  /** The canonical identity, once it is held. */
  String identity(Duration limit) {
    return await(identity, limit);
  }

  void send(String to, String correlationId, ByteString payload) {
    SendMessage send =
        SendMessage.newBuilder()
            .setTo(to)
            .setCorrelationId(correlationId)
            .setPayload(payload)
            .build();
    requests.onNext(ConnectRequest.newBuilder().setSend(send).build());
  }

  /** Ends the stream and waits until the server has ended it too. */
  @Override
  public void close() {
    requests.onCompleted();
    try {
      await(end, Duration.ofSeconds(10));
    } finally {
      channel.shutdownNow();
    }
  }

  /** The value of {@code future}, or a {@link BenchmarkException} that says what went wrong. */
  static <T> T await(CompletableFuture<T> future, Duration limit) {
    try {
      return future.get(limit.toNanos(), TimeUnit.NANOSECONDS);
    } catch (ExecutionException e) {
      throw new BenchmarkException("the stream failed: " + e.getCause(), e);
    } catch (TimeoutException e) {
      throw new BenchmarkException("no answer within %d s".formatted(limit.toSeconds()), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new BenchmarkException("interrupted", e);
    }
  }

  /** What the server sends. */
  private final class Responses implements StreamObserver<ConnectResponse> {
    private final BiConsumer<Peer, Message> onMessage;
    private final Consumer<Throwable> onFailure;

    Responses(BiConsumer<Peer, Message> onMessage, Consumer<Throwable> onFailure) {
      this.onMessage = onMessage;
      this.onFailure = onFailure;
    }

    @Override
    public void onNext(ConnectResponse response) {
      if (response.hasMessage()) {
        onMessage.accept(Peer.this, response.getMessage());
      } else if (response.hasAck()) {
        identity.complete(response.getAck().getIdentity());
      } else if (response.hasReceipt() && response.getReceipt().hasRejected()) {
        onError(new BenchmarkException("rejected: " + response.getReceipt().getRejected()));
      }
    }

    @Override
    public void onError(Throwable failure) {
      onFailure.accept(failure);
      identity.completeExceptionally(failure);
      end.completeExceptionally(failure);
    }

    @Override
    public void onCompleted() {
      identity.completeExceptionally(new BenchmarkException("ended before the ack"));
      end.complete(null);
    }
  }
}
