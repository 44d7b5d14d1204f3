package dev.holdfast.gateway.audit;

import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.regex.Pattern;

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
  private static final Pattern UNSAFE = Pattern.compile("[\\s=\\p{Cntrl}]");

  /** Writes the end of a connection. */
  public void disconnected(AuditEntry entry) {
    if (LOG.isLoggable(Level.INFO)) {
      LOG.info(lineOf(entry));
    }
  }

  static String lineOf(AuditEntry e) {
    return "event=disconnected identity="
        + e.identity()
        + " session="
        + e.session()
        + " token="
        + e.token()
        + " cause="
        + e.cause()
        + " gateway="
        + e.gatewayId()
        + " key="
        + plain(e.keyId())
        + " peer="
        + plain(e.peer())
        + " resumed="
        + e.resumed()
        + " released="
        + e.released()
        + " held_ms="
        + e.held().toMillis()
        + " cleanup_ms="
        + e.cleanup().toMillis();
  }

  /** Keeps a value that came from outside on its line and in its pair. */
  private static String plain(String value) {
    return value.isEmpty() ? "-" : UNSAFE.matcher(value).replaceAll("_");
  }
}
