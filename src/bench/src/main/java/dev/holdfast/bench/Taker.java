package dev.holdfast.bench;

import dev.holdfast.protocol.gateway.v1.ConnectRequest;
import dev.holdfast.protocol.gateway.v1.ConnectResponse;
import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import java.time.Duration;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Tries to hold identities that others hold. For one thread. */
final class Taker implements AutoCloseable {
  private static final long PERIOD_NANOS = TimeUnit.MILLISECONDS.toNanos(5);
  private static final Duration ANSWER_LIMIT = Duration.ofSeconds(10);

  private final Channels channels;
  private final Target target;

  Taker(Target target) {
    this.target = target;
    this.channels = new Channels(target, 1);
  }

  /**
   * Tries every 5 ms, or as soon as the last try is answered, until the identity is held; then
   * gives it back.
   *
   * @return when it was held, as {@link System#nanoTime()}
   * @throws BenchmarkException if it was not held within {@code limit}
   */
  long take(String specifier, Duration limit) {
    long startNanos = System.nanoTime();
    while (System.nanoTime() - startNanos < limit.toNanos()) {
      long tryNanos = System.nanoTime();
      OptionalLong heldNanos = tryOnce(specifier);
      if (heldNanos.isPresent()) {
        return heldNanos.getAsLong();
      }
      LockSupport.parkNanos(tryNanos + PERIOD_NANOS - System.nanoTime());
    }
    throw new BenchmarkException(
        "'%s' was not free within %d s".formatted(specifier, limit.toSeconds()));
  }

  /**
   * Tries once; what was free is given back at once.
   *
   * @return when it was held, as {@link System#nanoTime()}; empty if somebody else holds it
   */
  OptionalLong tryOnce(String specifier) {
    Attempt attempt = new Attempt();
    StreamObserver<ConnectRequest> requests = target.stub(channels.get(0)).connect(attempt);
    requests.onNext(Target.init(specifier));
    if (!Peer.await(attempt.held, ANSWER_LIMIT)) {
      return OptionalLong.empty();
    }
    long heldNanos = System.nanoTime();
    requests.onCompleted();
    Peer.await(attempt.ended, ANSWER_LIMIT);
    return OptionalLong.of(heldNanos);
  }

  @Override
  public void close() {
    channels.close();
  }

  /** One try. */
  private static final class Attempt implements StreamObserver<ConnectResponse> {
    private final CompletableFuture<Boolean> held = new CompletableFuture<>();
    private final CompletableFuture<Void> ended = new CompletableFuture<>();

    @Override
    public void onNext(ConnectResponse response) {
      if (response.hasAck()) {
        held.complete(true);
      }
    }

    @Override
    public void onError(Throwable failure) {
      if (Status.fromThrowable(failure).getCode() == Status.Code.ALREADY_EXISTS) {
        held.complete(false);
      }
      held.completeExceptionally(failure);
      ended.completeExceptionally(failure);
    }

    @Override
    public void onCompleted() {
      held.completeExceptionally(new BenchmarkException("ended before the ack"));
      ended.complete(null);
    }
  }
}
