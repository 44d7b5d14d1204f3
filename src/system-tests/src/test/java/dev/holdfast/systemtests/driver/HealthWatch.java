package dev.holdfast.systemtests.driver;

import io.grpc.Channel;
import io.grpc.health.v1.HealthCheckRequest;
import io.grpc.health.v1.HealthCheckResponse;
import io.grpc.health.v1.HealthCheckResponse.ServingStatus;
import io.grpc.health.v1.HealthGrpc;
import io.grpc.stub.StreamObserver;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.awaitility.Awaitility;

/** What {@code grpc.health.v1} says of a gateway over time. Thread-safe. */
public final class HealthWatch {
  private final List<ServingStatus> seen = new CopyOnWriteArrayList<>();

  private HealthWatch() {}

  /** Watches the whole gateway for as long as the channel lives. */
  public static HealthWatch of(Channel channel) {
    HealthWatch watch = new HealthWatch();
    HealthGrpc.newStub(channel)
        .watch(HealthCheckRequest.getDefaultInstance(), watch.new Observer());
    return watch;
  }

  /** Returns every status so far. */
  public List<ServingStatus> seen() {
    return seen;
  }

  /** Waits until {@code status} has been told. */
  public void await(ServingStatus status) {
    Awaitility.await("health " + status)
        .atMost(Duration.ofSeconds(30))
        .until(() -> seen.contains(status));
  }

  private final class Observer implements StreamObserver<HealthCheckResponse> {
    @Override
    public void onNext(HealthCheckResponse response) {
      seen.add(response.getStatus());
    }

    @Override
    public void onError(Throwable failure) {
      // The gateway has ended: what it said until then counts.
    }

    @Override
    public void onCompleted() {
      // As above.
    }
  }
}
