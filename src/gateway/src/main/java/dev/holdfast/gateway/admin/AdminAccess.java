package dev.holdfast.gateway.admin;

import dev.holdfast.gateway.error.GatewayError;
import dev.holdfast.gateway.error.GatewayException;
import dev.holdfast.gateway.server.Gateway;
import dev.holdfast.gateway.server.Parts;
import jakarta.ejb.EJBException;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.util.Optional;

/** Gives the resources what they administer. */
@ApplicationScoped
public class AdminAccess {
  @Inject private Gateway gateway;

  /**
   * Returns the connections of the deployment, seen from this gateway.
   *
   * @throws GatewayException {@code SHUTTING_DOWN} if this gateway is not running
   */
  ClusterConnections connections() {
    Parts parts = parts().orElseThrow(AdminAccess::notRunning);
    return new ClusterConnections(
        parts.self(), parts.liveGateways(), parts.bus(), parts.local(), parts.adminTimeout());
  }

  private Optional<Parts> parts() {
    try {
      return gateway.parts();
    } catch (EJBException e) { // The container has already taken it away.
      return Optional.empty();
    }
  }

  private static GatewayException notRunning() {
    return new GatewayException(
        GatewayError.SHUTTING_DOWN,
        "This gateway is not running; ask another one, or see its log.");
  }
}
