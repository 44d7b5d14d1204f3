package dev.holdfast.gateway.cluster;

import java.util.concurrent.CompletionStage;

/** Carries batches to other gateways: at most once each, or twice when its reply was lost. */
interface PeerWire {
  /**
   * Publishes a batch without blocking.
   *
   * @return completes with whether anybody may have received it; fails if that is not known
   */
  CompletionStage<Boolean> publish(PeerAddress to, byte[] batch);
}
