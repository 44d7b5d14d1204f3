package dev.holdfast.client;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;

/** What this SDK logs, one method per event. Never holds a payload or a key. */
final class ClientLog {
  private static final Logger LOG = System.getLogger("dev.holdfast.client");

  private ClientLog() {}

  static void listenerFailed(Principal principal, Throwable thrown) {
    LOG.log(Level.WARNING, "the listener of " + name(principal) + " threw", thrown);
  }

  static void sessionNotLoaded(Principal principal, Throwable thrown) {
    LOG.log(
        Level.WARNING,
        "the saved session of " + name(principal) + " can't be read; connecting without it",
        thrown);
  }

  static void sessionNotSaved(Principal principal, Throwable thrown) {
    LOG.log(
        Level.WARNING,
        "the session of " + name(principal) + " can't be saved; a restart will not resume it",
        thrown);
  }

  static void bug(Principal principal, Throwable thrown) {
    LOG.log(Level.ERROR, "closing the connection of " + name(principal), thrown);
  }

  private static String name(Principal principal) {
    return String.join("/", principal.path());
  }
}
