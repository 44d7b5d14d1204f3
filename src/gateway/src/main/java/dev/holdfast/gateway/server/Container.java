package dev.holdfast.gateway.server;

import dev.holdfast.gateway.connection.ConnectionRegistry;
import dev.holdfast.gateway.telemetry.Meters;
import jakarta.enterprise.concurrent.ManagedScheduledExecutorService;
import java.util.Optional;
import org.eclipse.microprofile.config.Config;

/** What the container gives to the gateway. */
record Container(
    ManagedScheduledExecutorService timers,
    Config config,
    Meters meters,
    Optional<ConnectionRegistry> registry) {}
