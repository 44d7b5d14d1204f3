package dev.holdfast.gateway.lock;

import java.util.logging.Level;
import java.util.logging.Logger;

/** What operators are told about leases. */
final class LockLog {
  private static final Logger LOG = Logger.getLogger("dev.holdfast.lock");

  private LockLog() {}

  static void refreshFailing(int locks, String cause) {
    LOG.log(
        Level.WARNING,
        "Locks: {0} could not be refreshed and are SUSPECT; trying again: {1}",
        new Object[] {Integer.toString(locks), cause});
  }

  static void refreshRecovered() {
    LOG.log(Level.INFO, "Locks: every lock is refreshed again.");
  }

  static void defect(String where, RuntimeException e) {
    LOG.log(Level.SEVERE, "Locks: a defect in " + where + ".", e);
  }
}
