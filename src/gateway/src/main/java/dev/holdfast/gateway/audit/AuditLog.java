package dev.holdfast.gateway.audit;

import java.util.logging.Level;
import java.util.logging.Logger;

/**
 * Writes the audit log: one line of {@code key=value} pairs per entry, to the logger {@value
 * #LOGGER}, so that operators can route it.
 *
 * <p>Thread-safe.
 */
public final class AuditLog {
  /** The logger of every audit line. */
  public static final String LOGGER = "dev.holdfast.audit";

  private static final Logger LOG = Logger.getLogger(LOGGER);

  /** Writes the end of a connection. */
  public void disconnected(AuditEntry entry) {
    if (LOG.isLoggable(Level.INFO)) {
      LOG.info(lineOf(entry));
    }
  }

  static String lineOf(AuditEntry e) {
    return ("event=disconnected identity=%s session=%s token=%d cause=%s gateway=%s key=%s peer=%s"
            + " resumed=%b released=%b held_ms=%d cleanup_ms=%d")
        .formatted(
            e.identity(),
            e.session(),
            e.token(),
            e.cause(),
            e.gatewayId(),
            plain(e.keyId()),
            plain(e.peer()),
            e.resumed(),
            e.released(),
            e.held().toMillis(),
            e.cleanup().toMillis());
  }

  /** Keeps a value that came from outside on its line and in its pair. */
  private static String plain(String value) {
    return value.isEmpty() ? "-" : value.replaceAll("[\\s=\\p{Cntrl}]", "_");
  }
}
