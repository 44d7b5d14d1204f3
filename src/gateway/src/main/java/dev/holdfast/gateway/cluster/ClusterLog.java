package dev.holdfast.gateway.cluster;

import java.util.logging.Level;
import java.util.logging.Logger;

/** What operators are told about the gateways of the deployment. */
final class ClusterLog {
  private static final Logger LOG = Logger.getLogger("dev.holdfast.cluster");

  private ClusterLog() {}

  static void registered(String id, String epoch) {
    LOG.log(Level.INFO, "Cluster: this gateway is {0}, epoch {1}.", new Object[] {id, epoch});
  }

  static void idTaken(String message) {
    LOG.log(Level.SEVERE, "Cluster: {0}", message);
  }

  static void leaseExpired(String id) {
    LOG.log(
        Level.WARNING,
        "Cluster: the lease of {0} expired before Redis could be reached; registering again.",
        id);
  }

  static void unreadableRecord(String id, String cause) {
    LOG.log(
        Level.WARNING,
        "Cluster: the record of gateway {0} cannot be read: {1}",
        new Object[] {id, cause});
  }

  static void unreadableBatch(String cause) {
    LOG.log(Level.WARNING, "Cluster: dropped what is no batch of a gateway: {0}", cause);
  }

  static void replyDropped(String gatewayId) {
    LOG.log(Level.WARNING, "Cluster: too much is queued for {0}; dropped a reply.", gatewayId);
  }

  static void subscribeFailed(String cause) {
    LOG.log(Level.WARNING, "Cluster: cannot hear other gateways yet; trying again: {0}", cause);
  }

  static void defect(String where, Throwable e) {
    LOG.log(Level.SEVERE, "Cluster: a defect in " + where + ".", e);
  }
}
