package dev.holdfast.gateway.server;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;

/** Makes the one health of the application: it exists whether or not the gateway starts. */
@ApplicationScoped
public class HealthSource {
  @Produces
  @Singleton
  GatewayHealth health() {
    return new GatewayHealth(System::nanoTime);
  }
}
