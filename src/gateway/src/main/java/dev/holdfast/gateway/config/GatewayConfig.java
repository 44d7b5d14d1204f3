package dev.holdfast.gateway.config;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Function;

/** The whole configuration, read and validated once at start. Immutable. */
public record GatewayConfig(
    Gateway gateway,
    Grpc grpc,
    Connection connection,
    Lock lock,
    Redis redis,
    Access access,
    Message message,
    Duration adminTimeout,
    Duration shutdownTimeout) {

  /** How this gateway is known to others. */
  public record Gateway(Optional<String> id, Optional<String> advertisedAddress) {}

  /** The gRPC port. */
  public record Grpc(
      String host,
      int port,
      Optional<String> ssl,
      ClientAuth clientAuth,
      boolean allowPlaintext,
      boolean reflection,
      Duration keepaliveTime,
      Duration keepaliveTimeout) {}

  /** New streams. */
  public record Connection(Duration initTimeout, int max) {}

  /** The identity lock. */
  public record Lock(Duration ttl, Duration refreshInterval, Duration safetyMargin) {
    public Lock {
      Duration usable = ttl.minus(safetyMargin);
      if (refreshInterval.multipliedBy(2).compareTo(usable) > 0) {
        throw new ConfigException(
            ("%s is %s: two refreshes must fit into %s minus %s, which leaves %s. Shorten the"
                    + " interval or lengthen the TTL.")
                .formatted(
                    ConfigKeys.LOCK_REFRESH_INTERVAL.name(),
                    refreshInterval,
                    ConfigKeys.LOCK_TTL.name(),
                    ConfigKeys.LOCK_SAFETY_MARGIN.name(),
                    usable));
      }
    }
  }

  /** Where Redis is; embedded if neither is given. */
  public record Redis(Optional<String> url, Optional<Path> configFile, Duration commandTimeout) {
    public Redis {
      if (url.isPresent() && configFile.isPresent()) {
        throw new ConfigException(
            "%s and %s are both set; keep one of them."
                .formatted(ConfigKeys.REDIS_URL.name(), ConfigKeys.REDIS_CONFIG_FILE.name()));
      }
    }

    public boolean embedded() {
      return url.isEmpty() && configFile.isEmpty();
    }

    /** Leaves out the URL, which may hold a password. */
    @Override
    public String toString() {
      return "Redis[embedded=" + embedded() + ", commandTimeout=" + commandTimeout + "]";
    }
  }

  /** Who may connect. */
  public record Access(Optional<Path> keyFile) {}

  /** The channel. */
  public record Message(
      int maxPayloadBytes, int queueCapacity, int queueBytes, Duration deliveryTimeout) {}

  /**
   * Reads every key.
   *
   * @param source looks up the text of a key by its name
   * @throws ConfigException for the first key that is wrong
   */
  public static GatewayConfig read(Function<String, Optional<String>> source) {
    Values values = new Values(source);
    return new GatewayConfig(
        new Gateway(
            values.get(ConfigKeys.GATEWAY_ID_KEY), values.get(ConfigKeys.ADVERTISED_ADDRESS)),
        values.grpc(),
        new Connection(values.get(ConfigKeys.INIT_TIMEOUT), values.get(ConfigKeys.MAX_CONNECTIONS)),
        new Lock(
            values.get(ConfigKeys.LOCK_TTL),
            values.get(ConfigKeys.LOCK_REFRESH_INTERVAL),
            values.get(ConfigKeys.LOCK_SAFETY_MARGIN)),
        new Redis(
            values.get(ConfigKeys.REDIS_URL),
            values.get(ConfigKeys.REDIS_CONFIG_FILE),
            values.get(ConfigKeys.REDIS_COMMAND_TIMEOUT)),
        new Access(values.get(ConfigKeys.ACCESS_KEY_FILE)),
        values.message(),
        values.get(ConfigKeys.ADMIN_TIMEOUT),
        values.get(ConfigKeys.SHUTDOWN_TIMEOUT));
  }

  private record Values(Function<String, Optional<String>> source) {
    <T> T get(ConfigKey<T> key) {
      return key.parse(source.apply(key.name()).orElse(key.defaultText()));
    }

    Grpc grpc() {
      return new Grpc(
          get(ConfigKeys.GRPC_HOST),
          get(ConfigKeys.GRPC_PORT),
          get(ConfigKeys.GRPC_SSL),
          get(ConfigKeys.GRPC_CLIENT_AUTH),
          get(ConfigKeys.GRPC_ALLOW_PLAINTEXT),
          get(ConfigKeys.GRPC_REFLECTION),
          get(ConfigKeys.KEEPALIVE_TIME),
          get(ConfigKeys.KEEPALIVE_TIMEOUT));
    }

    Message message() {
      return new Message(
          get(ConfigKeys.MAX_PAYLOAD),
          get(ConfigKeys.QUEUE_CAPACITY),
          get(ConfigKeys.QUEUE_BYTES),
          get(ConfigKeys.DELIVERY_TIMEOUT));
    }
  }
}
