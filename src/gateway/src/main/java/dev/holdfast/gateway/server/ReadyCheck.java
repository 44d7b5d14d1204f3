package dev.holdfast.gateway.server;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import org.eclipse.microprofile.health.HealthCheck;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.eclipse.microprofile.health.Readiness;

/** {@code /health/ready}: this gateway serves, is known to the others, and Redis answers. */
@Readiness
@ApplicationScoped
public class ReadyCheck implements HealthCheck {
  @Inject private GatewayHealth health;

  @Override
  public HealthCheckResponse call() {
    return HealthCheckResponse.named("gateway-ready")
        .status(health.ready())
        .withData("phase", health.phase().name())
        .withData("redis_answers", health.redisAnswers())
        .withData("cluster_joined", health.joined())
        .build();
  }
}
