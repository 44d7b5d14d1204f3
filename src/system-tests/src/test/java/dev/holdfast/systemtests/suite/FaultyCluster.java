package dev.holdfast.systemtests.suite;

import dev.holdfast.systemtests.driver.Principals;
import dev.holdfast.systemtests.driver.RawClient;
import dev.holdfast.systemtests.harness.CutProxy;
import dev.holdfast.systemtests.harness.GatewayProcess;
import dev.holdfast.systemtests.harness.RedisProcess;
import java.time.Duration;
import java.util.List;
import org.awaitility.Awaitility;

/**
 * Two gateways with short locks, each with a network of its own to a Redis that keeps its data. For
 * tests that pause, cut and restart; each {@link #heal heals} what it did.
 */
public final class FaultyCluster implements AutoCloseable {
  /** How long a lock lasts without a refresh. */
  public static final Duration TTL = Duration.ofSeconds(3);

  /** How often locks are refreshed. */
  public static final Duration REFRESH = Duration.ofMillis(400);

  /** How long a gateway waits for Redis: longer than {@link #REFRESH}. */
  private static final Duration COMMAND_TIMEOUT = Duration.ofMillis(1500);

  private final TestKeys keys = new TestKeys();
  private final RedisProcess redis = RedisProcess.startPersistent();
  private final CutProxy firstToRedis = CutProxy.to(redis.port());
  private final CutProxy secondToRedis = CutProxy.to(redis.port());
  private final GatewayProcess first = gateway(firstToRedis.port()).launch();
  private final GatewayProcess second = gateway(secondToRedis.port()).launch();

  FaultyCluster() {
    GatewayProcess.awaitReady(List.of(first, second));
  }

  public GatewayProcess first() {
    return first;
  }

  public GatewayProcess second() {
    return second;
  }

  public RedisProcess redis() {
    return redis;
  }

  /** The network between the first gateway and Redis. */
  public CutProxy firstToRedis() {
    return firstToRedis;
  }

  public Locks locks() {
    return new Locks(redis);
  }

  /** Prepares a further gateway of this deployment, which belongs to the test. */
  public GatewayProcess.Builder another() {
    return gateway(redis.port());
  }

  /** Prepares a further gateway that reaches Redis through {@code redisPort}. */
  public GatewayProcess.Builder gateway(int redisPort) {
    return GatewayProcess.builder()
        .set("holdfast.redis.url", "redis://127.0.0.1:" + redisPort)
        .set("holdfast.redis.command-timeout", COMMAND_TIMEOUT.toMillis() + "ms")
        .set("holdfast.access.key-file", keys.file().toString())
        .set("holdfast.lock.ttl", TTL.toMillis() + "ms")
        .set("holdfast.lock.refresh-interval", REFRESH.toMillis() + "ms")
        .set("holdfast.lock.safety-margin", "300ms")
        .set("holdfast.shutdown.timeout", "5s");
  }

  /** Ends every fault and waits until both gateways are ready and give identities again. */
  public void heal() {
    redis.resume();
    first.process().resume();
    second.process().resume();
    firstToRedis.delay(Duration.ZERO);
    firstToRedis.heal();
    secondToRedis.heal();
    Awaitility.await("both gateways work")
        .atMost(Duration.ofSeconds(30))
        .until(() -> works(first) && works(second));
  }

  @Override
  public void close() {
    first.close();
    second.close();
    firstToRedis.close();
    secondToRedis.close();
    redis.close();
    keys.close();
  }

  private static boolean works(GatewayProcess gateway) {
    try (RawClient client = RawClient.plaintext(gateway.grpcTarget(), TestKeys.ALL)) {
      return gateway.status("/health/ready") == 200
          && client.connect(Principals.freshAgent()).isHeld();
    }
  }
}
