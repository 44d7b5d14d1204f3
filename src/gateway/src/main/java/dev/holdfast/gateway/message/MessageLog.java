package dev.holdfast.gateway.message;

import java.util.logging.Level;
import java.util.logging.Logger;

/** What the channel logs: defects only, never a message. */
final class MessageLog {
  private static final Logger LOG = Logger.getLogger("dev.holdfast.message");

  private MessageLog() {}

  static void defect(RuntimeException e) {
    LOG.log(Level.SEVERE, "A task of a sender's lane failed; its receipts may be missing.", e);
  }
}
