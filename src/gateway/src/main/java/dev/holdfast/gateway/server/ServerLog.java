package dev.holdfast.gateway.server;

import dev.holdfast.gateway.cluster.Self;
import java.time.Duration;
import java.util.logging.Level;
import java.util.logging.Logger;

/** What operators are told about the gateway as a whole. */
final class ServerLog {
  private static final Logger LOG = Logger.getLogger("dev.holdfast.server");

  private ServerLog() {}

  static void started(Self self, String grpcAddress, boolean tls) {
    LOG.log(
        OperatorLevel.AUDIT,
        "Holdfast {0}: gateway {1} (epoch {2}) serves gRPC on {3} ({4}); REST under /api, /health,"
            + " /metrics and /openapi of the HTTP port.",
        new Object[] {
          self.version(), self.id(), self.epoch(), grpcAddress, tls ? "TLS" : "plaintext"
        });
  }

  static void trial(String redisUrl, String apiKey) {
    LOG.log(
        OperatorLevel.AUDIT,
        "For trials only: Redis {0}, API key {1} for every identity. Set holdfast.redis.url and"
            + " holdfast.access.key-file for anything else.",
        new Object[] {redisUrl, apiKey});
  }

  static void nobodyGetsIn() {
    LOG.log(
        Level.WARNING,
        "holdfast.access.key-file is not set: there is no API key, so no client gets in.");
  }

  static void unknownKey(String name) {
    LOG.log(Level.WARNING, "The configuration sets {0}, which is no key of the gateway.", name);
  }

  static void startFailed(String reason) {
    LOG.log(Level.SEVERE, "The gateway does not start: {0}", reason);
  }

  static void startFailed(Throwable defect) {
    LOG.log(Level.SEVERE, "The gateway does not start because of a defect.", defect);
  }

  static void tlsReloaded(String sslId) {
    LOG.log(Level.INFO, "TLS: the key material of <ssl id=\"{0}\"> has changed.", sslId);
  }

  static void tlsNotReloaded(String sslId, String reason) {
    LOG.log(
        Level.SEVERE,
        "TLS: the changed key material of <ssl id=\"{0}\"> cannot be used; the old one stays: {1}",
        new Object[] {sslId, reason});
  }

  static void stepAbandoned(String step, Exception e) {
    LOG.log(
        Level.WARNING, "Stopping: ''{0}'' was abandoned: {1}", new Object[] {step, e.toString()});
  }

  static void taskFailed(String task, RuntimeException e) {
    LOG.log(Level.SEVERE, e, () -> "The task '" + task + "' failed; it will run again.");
  }

  static void stopped(Duration took, int failed) {
    LOG.log(
        failed == 0 ? Level.INFO : Level.WARNING,
        "The gateway stopped in {0} ms; {1} steps were abandoned.",
        new Object[] {Long.toString(took.toMillis()), failed});
  }
}
