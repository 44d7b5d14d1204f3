package dev.holdfast.gateway.redis;

import java.util.logging.Level;
import java.util.logging.Logger;

/** What operators are told about the connection to Redis. */
final class RedisLog {
  private static final Logger LOG = Logger.getLogger("dev.holdfast.redis");

  private RedisLog() {}

  static void connected(String target) {
    LOG.log(Level.INFO, "Redis: connected to {0}.", target);
  }

  static void notReachable(String target, String key, String cause) {
    LOG.log(
        Level.WARNING,
        "Redis: {0} (from {1}) cannot be used yet, so this gateway is not ready; trying again: {2}",
        new Object[] {target, key, cause});
  }

  static void silent(String target, String cause) {
    LOG.log(Level.WARNING, "Redis: {0} does not answer: {1}", new Object[] {target, cause});
  }

  static void answersAgain(String target) {
    LOG.log(Level.INFO, "Redis: {0} answers again.", target);
  }

  static void embeddedStarted(int port) {
    LOG.log(
        Level.WARNING,
        "Redis: started an EMBEDDED server on 127.0.0.1:{0}. It is for trials and tests: it keeps"
            + " nothing, asks no password, and ends with this gateway. Set holdfast.redis.url or"
            + " holdfast.redis.config-file for anything else.",
        Integer.toString(port));
  }

  static void embeddedLeftBehind(String directory, String cause) {
    LOG.log(
        Level.WARNING,
        "Redis: could not remove the embedded server''s directory {0}: {1}",
        new Object[] {directory, cause});
  }
}
