package dev.holdfast.gateway.redis;

import dev.holdfast.gateway.config.ConfigException;
import dev.holdfast.gateway.config.ConfigKeys;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * The parts of {@code redis://[[user]:password@]host[:port][/database]}.
 *
 * @param tls whether the scheme was {@code rediss}
 */
record RedisUrl(
    boolean tls,
    String host,
    int port,
    Optional<String> user,
    Optional<String> password,
    int database) {
  private static final int DEFAULT_PORT = 6379;

  /**
   * Reads a URL.
   *
   * @throws ConfigException if it is malformed; the message does not repeat the URL, which may hold
   *     a password
   */
  static RedisUrl parse(String text) {
    URI uri = uri(text);
    String host = uri.getHost();
    if (host == null) {
      throw malformed("it names no host; write characters like '@' in a password as '%40'");
    }
    Optional<String> userInfo = Optional.ofNullable(uri.getRawUserInfo());
    return new RedisUrl(
        "rediss".equals(uri.getScheme()),
        host,
        uri.getPort() < 0 ? DEFAULT_PORT : uri.getPort(),
        userInfo.filter(info -> info.indexOf(':') > 0).map(info -> decode(before(info))),
        userInfo.map(info -> decode(info.substring(info.indexOf(':') + 1))),
        database(uri.getPath()));
  }

  /** Returns the URL without user, password and database. */
  String address() {
    return (tls ? "rediss://" : "redis://") + host + ":" + port;
  }

  /** Leaves out the password. */
  @Override
  public String toString() {
    String login = password.isPresent() ? user.orElse("") + ":***@" : "";
    return (tls ? "rediss://" : "redis://") + login + host + ":" + port + "/" + database;
  }

  private static URI uri(String text) {
    try {
      return new URI(text);
    } catch (URISyntaxException e) {
      throw malformed("it is no URL: " + e.getReason() + " at character " + e.getIndex());
    }
  }

  private static String before(String info) {
    return info.substring(0, info.indexOf(':'));
  }

  private static String decode(String text) {
    return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
  }

  private static int database(String path) {
    if (path == null || path.length() <= 1) {
      return 0;
    }
    try {
      return Integer.parseInt(path.substring(1));
    } catch (NumberFormatException e) {
      throw malformed("its database '" + path.substring(1) + "' is no number");
    }
  }

  private static ConfigException malformed(String reason) {
    return new ConfigException(
        "%s is malformed: %s. It must look like redis://user:password@host:6379/0."
            .formatted(ConfigKeys.REDIS_URL.name(), reason));
  }
}
