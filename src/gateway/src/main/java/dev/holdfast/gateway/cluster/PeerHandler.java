package dev.holdfast.gateway.cluster;

import dev.holdfast.protocol.peer.v1.PeerReply;
import dev.holdfast.protocol.peer.v1.PeerRequest;
import java.util.concurrent.CompletionStage;

/** Answers other gateways. Called in order per asking gateway; must not block. */
public interface PeerHandler {
  CompletionStage<PeerReply> handle(PeerRequest request);
}
