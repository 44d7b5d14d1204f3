package dev.holdfast.gateway.testing;

import dev.holdfast.gateway.cluster.PeerBus;
import dev.holdfast.protocol.peer.v1.PeerReply;
import dev.holdfast.protocol.peer.v1.PeerRequest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** A bus on which the test plays every other gateway. Thread-safe. */
public final class FakeBus implements PeerBus {
  /** A request that was asked of another gateway. */
  public record Asked(
      String gatewayId, String epoch, PeerRequest request, CompletableFuture<PeerReply> reply) {}

  private final List<Asked> asked = new ArrayList<>();

  @Override
  public synchronized CompletionStage<PeerReply> ask(
      String gatewayId, String epoch, PeerRequest request, Duration timeout) {
    CompletableFuture<PeerReply> reply = new CompletableFuture<>();
    asked.add(new Asked(gatewayId, epoch, request, reply));
    return reply;
  }

  public synchronized List<Asked> asked() {
    return List.copyOf(asked);
  }
}
