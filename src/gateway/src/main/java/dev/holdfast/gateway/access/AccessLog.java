package dev.holdfast.gateway.access;

import java.nio.file.Path;
import java.util.logging.Level;
import java.util.logging.Logger;

/** What the log tells about access: never a key, nor what somebody presented as one. */
final class AccessLog {
  private static final Logger LOG = Logger.getLogger("dev.holdfast.access");

  private AccessLog() {}

  static void keyFileTaken(Path file, int keys) {
    LOG.log(
        Level.INFO,
        "The key file {0} has changed: {1} keys.",
        new Object[] {file.toString(), keys});
  }

  static void keyFileRefused(String complaint) {
    LOG.log(Level.SEVERE, "{0} The keys stay as they were.", complaint);
  }

  static void refused(String peer, String reason) {
    LOG.log(Level.FINE, "{0} is not admitted: {1}.", new Object[] {peer, reason});
  }
}
