package dev.holdfast.gateway.admin;

import dev.holdfast.gateway.identity.ConnectionId;
import java.util.logging.Level;
import java.util.logging.Logger;

/** What the log tells about the REST API. */
final class AdminLog {
  private static final Logger LOG = Logger.getLogger("dev.holdfast.admin");

  private AdminLog() {}

  static void closed(ConnectionId session, String user) {
    LOG.log(
        Level.INFO, "{0} was ended by administrator {1}.", new Object[] {session.value(), user});
  }

  static void defect(Exception e) {
    LOG.log(Level.SEVERE, "A request to the REST API failed because of a defect.", e);
  }
}
