package dev.holdfast.gateway.connection;

import dev.holdfast.gateway.identity.ConnectionId;
import dev.holdfast.gateway.lock.LockKey;
import java.time.Duration;
import java.util.logging.Level;
import java.util.logging.Logger;

/**
 * Everything that connections log, one method per event: at {@code INFO} and above what an operator
 * may act on, at {@code FINE} one line per connection, never one per message.
 */
final class ConnectionLog {
  private static final Logger LOG = Logger.getLogger("dev.holdfast.connection");

  void held(LockKey key, long token, boolean resumed) {
    LOG.log(
        Level.FINE,
        () ->
            "%s held by %s, token %d%s"
                .formatted(key.identity(), key.session(), token, resumed ? ", resumed" : ""));
  }

  void ended(ConnectionId session, Closure closure) {
    LOG.log(
        closure.cause().isLoss() ? Level.WARNING : Level.FINE,
        () -> "%s ended: %s: %s".formatted(session, closure.cause(), closure.detail()));
  }

  void displaced(LockKey key) {
    LOG.log(
        Level.INFO,
        () ->
            "%s: %s still held it here when a later acquisition was granted; it is ended."
                .formatted(key.identity(), key.session()));
  }

  void releaseFailed(LockKey key, Throwable failure) {
    LOG.log(
        Level.WARNING,
        () ->
            "%s: Redis did not confirm the release by %s (%s); trying again until its lock expires."
                .formatted(key.identity(), key.session(), failure.getMessage()));
  }

  void cleanupStepFailed(String step, LockKey key, RuntimeException e) {
    LOG.log(
        Level.SEVERE,
        e,
        () ->
            "Clean-up of %s (%s): step '%s' failed; the others run."
                .formatted(key.session(), key.identity(), step));
  }

  void supersededElsewhere(LockKey key, String gatewayId, Throwable failure) {
    LOG.log(
        Level.INFO,
        () ->
            "%s: gateway %s did not confirm the end of %s, which was resumed here (%s); its next"
                    .formatted(key.identity(), gatewayId, key.session(), failure.getMessage())
                + " refresh ends it.");
  }

  void drainStarted(int connections, Duration deadline) {
    LOG.log(
        Level.INFO,
        () -> "Draining %d connections within %d ms.".formatted(connections, deadline.toMillis()));
  }

  void drained(int unreleased, Duration took) {
    LOG.log(
        unreleased > 0 ? Level.WARNING : Level.INFO,
        () ->
            "Drained in %d ms; %d locks could not be released and expire by themselves."
                .formatted(took.toMillis(), unreleased));
  }

  void defect(ConnectionId session, RuntimeException e) {
    LOG.log(Level.SEVERE, e, () -> "%s is ended because of a defect.".formatted(session));
  }
}
