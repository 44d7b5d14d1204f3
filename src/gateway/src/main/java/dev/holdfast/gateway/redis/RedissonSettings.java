package dev.holdfast.gateway.redis;

import dev.holdfast.gateway.config.ConfigException;
import dev.holdfast.gateway.config.ConfigKeys;
import dev.holdfast.gateway.config.GatewayConfig;
import io.netty.channel.EventLoopGroup;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import org.redisson.Redisson;
import org.redisson.api.RedissonClient;
import org.redisson.client.codec.StringCodec;
import org.redisson.config.Config;
import org.redisson.config.ConstantDelay;

/**
 * How the Redis client is set up.
 *
 * @param config for Redisson; holds the password
 * @param target the server in words, without a password
 * @param key the configuration key that named the server
 */
record RedissonSettings(Config config, String target, String key) {
  private static final int LISTENER_THREADS = 2;
  private static final int CONNECTIONS = 8; // Lanes keep a handful of scripts in flight.
  private static final int IDLE_CONNECTIONS = 2;
  private static final int RETRIES = 4;

  static RedissonSettings of(GatewayConfig.Redis settings, EventLoopGroup eventLoops) {
    RedissonSettings made =
        settings.configFile().isPresent()
            ? ofFile(settings.configFile().get())
            : ofUrl(settings.url().orElseThrow(), settings.commandTimeout());
    made.config.setCodec(StringCodec.INSTANCE);
    made.config.setEventLoopGroup(eventLoops);
    made.config.setThreads(LISTENER_THREADS);
    made.config.setLazyInitialization(true); // So that a Redis that is down fails no start.
    made.config.setUseScriptCache(false); // RedisConnection knows EVALSHA and its fallback itself.
    return made;
  }

  /**
   * Makes a client that is not connected yet.
   *
   * @throws ConfigException if the settings contradict each other
   */
  RedissonClient create() {
    try {
      return Redisson.create(config);
    } catch (RuntimeException e) { // Its message may quote passwords.
      throw new ConfigException(
          "%s cannot be used as it is (%s); compare it with Redisson's reference."
              .formatted(key, e.getClass().getSimpleName()));
    }
  }

  private static RedissonSettings ofUrl(String text, Duration commandTimeout) {
    RedisUrl url = RedisUrl.parse(text);
    int timeoutMillis = Math.toIntExact(commandTimeout.toMillis());
    Config config = new Config();
    url.user().ifPresent(config::setUsername);
    url.password().ifPresent(config::setPassword);
    config
        .useSingleServer()
        .setAddress(url.address())
        .setDatabase(url.database())
        .setConnectionPoolSize(CONNECTIONS)
        .setConnectionMinimumIdleSize(IDLE_CONNECTIONS)
        .setSubscriptionConnectionPoolSize(IDLE_CONNECTIONS)
        .setSubscriptionConnectionMinimumIdleSize(1)
        .setConnectTimeout(timeoutMillis)
        .setTimeout(timeoutMillis)
        .setPingConnectionInterval(timeoutMillis)
        .setRetryAttempts(RETRIES)
        .setRetryDelay(new ConstantDelay(commandTimeout.dividedBy(RETRIES + 1L)))
        .setReconnectionDelay(new ConstantDelay(commandTimeout.dividedBy(RETRIES + 1L)));
    return new RedissonSettings(config, url.toString(), ConfigKeys.REDIS_URL.name());
  }

  private static RedissonSettings ofFile(Path file) {
    String key = ConfigKeys.REDIS_CONFIG_FILE.name();
    try {
      return new RedissonSettings(Config.fromYAML(file.toFile()), "the servers in " + file, key);
    } catch (IOException | RuntimeException e) { // Its message may quote the file's passwords.
      throw new ConfigException(
          "%s names '%s', which cannot be read as Redisson's YAML configuration (%s)."
              .formatted(key, file, e.getClass().getSimpleName()));
    }
  }
}
