package dev.holdfast.gateway.server;

import dev.holdfast.gateway.cluster.GatewayRecord;
import dev.holdfast.gateway.cluster.PeerBus;
import dev.holdfast.gateway.cluster.PeerHandler;
import dev.holdfast.gateway.cluster.Self;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/**
 * What administration needs of a running gateway.
 *
 * @param liveGateways looks up the live gateways of the deployment
 * @param bus asks the others
 * @param local answers for this one
 * @param adminTimeout how long others may take to answer
 */
public record Parts(
    Self self,
    Supplier<CompletionStage<List<GatewayRecord>>> liveGateways,
    PeerBus bus,
    PeerHandler local,
    Duration adminTimeout) {}
