package dev.holdfast.bench;

import dev.holdfast.protocol.gateway.v1.ConnectRequest;
import dev.holdfast.protocol.gateway.v1.ConnectResponse;
import io.grpc.stub.ClientCallStreamObserver;
import io.grpc.stub.ClientResponseObserver;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/**
 * Opens streams as fast as the server acknowledges them, at most {@value #OUTSTANDING} without
 * their first response, each with an identity of its own; half-closes each at its first response.
 * One use.
 */
final class ConnectLoad {
  private static final int OUTSTANDING = 64;
  private static final int CHANNELS = 4;

  private final Semaphore permits = new Semaphore(OUTSTANDING);
  private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
  private final CountDownLatch acknowledged;
  private final CountDownLatch ended;
  private final long[] latencyNanos;
  private final Duration limit;

  private ConnectLoad(int streams, Duration limit) {
    this.limit = limit;
    acknowledged = new CountDownLatch(streams);
    ended = new CountDownLatch(streams);
    latencyNanos = new long[streams];
  }

  /**
   * Opens {@code streams} streams and waits until all have ended.
   *
   * @param limit for the whole run
   * @return streams per second, from the first open to the last first response
   */
  static Score run(Target target, String label, int streams, Duration limit) {
    ConnectLoad load = new ConnectLoad(streams, limit);
    try (Channels channels = new Channels(target, CHANNELS)) {
      return load.run(target, channels, label);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new BenchmarkException("interrupted", e);
    }
  }

  private Score run(Target target, Channels channels, String label) throws InterruptedException {
    long deadlineNanos = System.nanoTime() + limit.toNanos();
    long startNanos = System.nanoTime();
    for (int i = 0; i < latencyNanos.length; i++) {
      check(permits.tryAcquire(deadlineNanos - System.nanoTime(), TimeUnit.NANOSECONDS));
      open(target, channels, label, i);
    }
    check(acknowledged.await(deadlineNanos - System.nanoTime(), TimeUnit.NANOSECONDS));
    double seconds = (System.nanoTime() - startNanos) / 1e9;
    check(ended.await(deadlineNanos - System.nanoTime(), TimeUnit.NANOSECONDS));
    return new Score(latencyNanos.length / seconds, latencies());
  }

  private void open(Target target, Channels channels, String label, int index) {
    target
        .stub(channels.get(index))
        .connect(new Opening(index))
        .onNext(Target.init(label + '-' + index));
  }

  private void check(boolean inTime) {
    Throwable cause = failure.get();
    if (cause != null) {
      throw new BenchmarkException("a stream failed: " + cause.getMessage(), cause);
    }
    if (!inTime) {
      throw new BenchmarkException("not done within %d s".formatted(limit.toSeconds()));
    }
  }

  private void fail(Throwable cause) {
    failure.compareAndSet(null, cause);
    acknowledged.countDown();
    ended.countDown();
    permits.release();
  }

  private Histogram latencies() {
    Histogram histogram = Comparison.histogram();
    for (long nanos : latencyNanos) {
      histogram.recordValue(nanos / 1000);
    }
    return histogram;
  }

  /** One stream. */
  private final class Opening implements ClientResponseObserver<ConnectRequest, ConnectResponse> {
    private final int index;
    private final long startNanos = System.nanoTime();
    private @Nullable ClientCallStreamObserver<ConnectRequest> requests;

    Opening(int index) {
      this.index = index;
    }

    @Override
    public void beforeStart(ClientCallStreamObserver<ConnectRequest> requestStream) {
      requests = requestStream;
    }

    @Override
    public void onNext(ConnectResponse response) {
      if (response.hasAck()) {
        latencyNanos[index] = System.nanoTime() - startNanos;
        acknowledged.countDown();
        permits.release();
        requests().onCompleted();
      }
    }

    @Override
    public void onError(Throwable cause) {
      fail(cause);
    }

    @Override
    public void onCompleted() {
      ended.countDown();
    }

    private ClientCallStreamObserver<ConnectRequest> requests() {
      return Objects.requireNonNull(requests, "beforeStart comes first");
    }
  }
}
