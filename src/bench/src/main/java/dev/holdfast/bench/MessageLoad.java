package dev.holdfast.bench;

import com.google.protobuf.ByteString;
import dev.holdfast.protocol.gateway.v1.Message;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.HdrHistogram.Histogram;

/**
 * One message at a time from A to B and back, {@value #PAYLOAD_BYTES} bytes, each over a connection
 * of its own; B sends back what it takes. One use.
 */
final class MessageLoad {
  private static final int PAYLOAD_BYTES = 100;

  private final ByteString payload = ByteString.copyFrom(new byte[PAYLOAD_BYTES]);
  private final Histogram latencies = Comparison.histogram();
  private final CompletableFuture<Histogram> result = new CompletableFuture<>();
  private final int roundTrips;
  private volatile String receiver = "";
  private volatile long sentNanos;
  private int received;

  private MessageLoad(int roundTrips) {
    this.roundTrips = roundTrips;
  }

  /**
   * Makes {@code roundTrips} round trips.
   *
   * @param limit for the whole run
   * @return the median round trip, in microseconds
   */
  static Score run(Target target, String label, int roundTrips, Duration limit) {
    return new MessageLoad(roundTrips).run(target, label, limit);
  }

  private Score run(Target target, String label, Duration limit) {
    try (Peer b = new Peer(target, label + "-b", MessageLoad::echo, result::completeExceptionally);
        Peer a = new Peer(target, label + "-a", this::returned, result::completeExceptionally)) {
      receiver = b.identity(limit);
      a.identity(limit);
      send(a, 0);
      Peer.await(result, limit);
    }
    return new Score(latencies.getValueAtPercentile(50), latencies);
  }

  private static void echo(Peer b, Message message) {
    b.send(message.getFrom(), message.getCorrelationId(), message.getPayload());
  }

  private void returned(Peer a, Message message) {
    latencies.recordValue((System.nanoTime() - sentNanos) / 1000);
    received++;
    if (received < roundTrips) {
      send(a, received);
    } else {
      result.complete(latencies);
    }
  }

  private void send(Peer a, int number) {
    sentNanos = System.nanoTime();
    a.send(receiver, Integer.toString(number), payload);
  }
}
