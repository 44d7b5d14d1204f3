package dev.holdfast.gateway.testing;

import dev.holdfast.gateway.config.GatewayConfig;
import dev.holdfast.gateway.redis.EmbeddedRedis;
import dev.holdfast.gateway.redis.RedisConnection;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.utility.DockerImageName;

/**
 * The Redis that tests share: the server named by the environment variable {@code
 * HOLDFAST_TEST_REDIS}, which should be one that nobody else uses; a container, if the system
 * property {@code holdfast.test.redis} is {@code container}; else an embedded server.
 *
 * <p>It is started once for a test run and ends with it. When none can be had, the tests fail.
 */
public final class RedisFixture {
  private static final int REDIS_PORT = 6379;
  private static final Duration COMMAND_TIMEOUT = Duration.ofSeconds(5);
  private static final ScheduledExecutorService TIMERS =
      Executors.newScheduledThreadPool(
          1,
          task -> {
            Thread thread = new Thread(task, "redis-fixture");
            thread.setDaemon(true);
            return thread;
          });

  private RedisFixture() {}

  /** Returns the URL of the shared server. */
  public static String url() {
    return Shared.URL;
  }

  /** Opens a connection to the shared server. */
  public static RedisConnection connect() {
    return connect(url(), COMMAND_TIMEOUT);
  }

  /** Opens a connection to any server, and waits until it stands. */
  public static RedisConnection connect(String url, Duration commandTimeout) {
    RedisConnection connection =
        RedisConnection.open(
            new GatewayConfig.Redis(Optional.of(url), Optional.empty(), commandTimeout),
            TIMERS,
            System::nanoTime);
    connection.connected().toCompletableFuture().join();
    return connection;
  }

  private static final class Shared {
    static final String URL = start();

    private static String start() {
      String given = System.getenv("HOLDFAST_TEST_REDIS");
      if (given != null) {
        return given;
      }
      return "container".equals(System.getProperty("holdfast.test.redis"))
          ? startContainer()
          : startEmbedded();
    }

    private static String startEmbedded() {
      EmbeddedRedis server = EmbeddedRedis.start();
      Runtime.getRuntime().addShutdownHook(new Thread(server::close));
      return server.url();
    }

    private static String startContainer() {
      GenericContainer<?> redis =
          new GenericContainer<>(DockerImageName.parse("redis:7")).withExposedPorts(REDIS_PORT);
      redis.start(); // Testcontainers removes it when this process ends.
      return "redis://" + redis.getHost() + ":" + redis.getMappedPort(REDIS_PORT);
    }
  }
}
