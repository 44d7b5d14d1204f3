package dev.holdfast.gateway.cluster;

import dev.holdfast.protocol.peer.v1.PeerReply;
import dev.holdfast.protocol.peer.v1.PeerRequest;
import java.time.Duration;
import java.util.concurrent.CompletionStage;

/**
 * Asks other gateways of the deployment.
 *
 * <p>Thread-safe, never blocks. Requests to one gateway arrive there in the order in which {@link
 * #ask} was called, each at most once.
 */
public interface PeerBus {
  /**
   * Asks one boot of a gateway.
   *
   * @return completes with the answer; fails with {@code GatewayException} {@code OVERLOADED} if
   *     too much is already queued for that gateway (then it was not sent), {@code
   *     GATEWAY_UNREACHABLE} if no answer came within {@code timeout} (then it may have been
   *     carried out)
   */
  CompletionStage<PeerReply> ask(
      String gatewayId, String epoch, PeerRequest request, Duration timeout);
}
