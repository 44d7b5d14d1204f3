package dev.holdfast.gateway.server;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import org.eclipse.microprofile.health.HealthCheck;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.eclipse.microprofile.health.Liveness;

/** {@code /health/live}: the gateway's timer ticks; Redis plays no part. */
@Liveness
@ApplicationScoped
public class LiveCheck implements HealthCheck {
  @Inject private GatewayHealth health;

  @Override
  public HealthCheckResponse call() {
    return HealthCheckResponse.named("gateway-live")
        .status(health.live())
        .withData("phase", health.phase().name())
        .build();
  }
}
