package dev.holdfast.gateway.server;

import dev.holdfast.gateway.cluster.Self;
import dev.holdfast.gateway.config.GatewayConfig;
import java.security.SecureRandom;

/** What every part of the gateway is built on. */
record Foundation(
    Self self, GatewayConfig config, Container container, SecureRandom random, Shutdown shutdown) {}
