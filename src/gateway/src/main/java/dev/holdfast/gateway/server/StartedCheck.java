package dev.holdfast.gateway.server;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import org.eclipse.microprofile.health.HealthCheck;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.eclipse.microprofile.health.Startup;

/** {@code /health/started}: every part of the gateway runs. */
@Startup
@ApplicationScoped
public class StartedCheck implements HealthCheck {
  @Inject private GatewayHealth health;

  @Override
  public HealthCheckResponse call() {
    return HealthCheckResponse.named("gateway-started")
        .status(health.started())
        .withData("phase", health.phase().name())
        .build();
  }
}
