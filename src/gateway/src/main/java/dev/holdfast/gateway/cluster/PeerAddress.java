package dev.holdfast.gateway.cluster;

/** One boot of a gateway. */
record PeerAddress(String gatewayId, String epoch) {}
