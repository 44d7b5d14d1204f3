package dev.holdfast.systemtests.suite;

import dev.holdfast.systemtests.harness.GatewayProcess;
import dev.holdfast.systemtests.harness.RedisProcess;
import java.nio.file.Path;
import java.util.List;

/**
 * Two gateways on one Redis, for all tests that harm neither. Locks last long enough for a test
 * that is slow, and keepalive is short.
 */
public final class SharedCluster implements AutoCloseable {
  /** The largest payload, so small that a test can exceed it at little cost. */
  public static final int MAX_PAYLOAD_BYTES = 64 * 1024;

  private final TestKeys keys = new TestKeys();
  private final RedisProcess redis = RedisProcess.start();
  private final GatewayProcess first = launch();
  private final GatewayProcess second = launch();

  SharedCluster() {
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

  /** Returns the key file, for a further gateway. */
  public Path keyFile() {
    return keys.file();
  }

  public Locks locks() {
    return new Locks(redis);
  }

  @Override
  public void close() {
    first.close();
    second.close();
    redis.close();
    keys.close();
  }

  private GatewayProcess launch() {
    return GatewayProcess.builder()
        .set("holdfast.redis.url", redis.url())
        .set("holdfast.access.key-file", keys.file().toString())
        .set("holdfast.lock.ttl", "10s")
        .set("holdfast.lock.refresh-interval", "1s")
        .set("holdfast.lock.safety-margin", "1s")
        .set("holdfast.grpc.keepalive-time", "10s")
        .set("holdfast.grpc.keepalive-timeout", "1s")
        .set("holdfast.connection.init-timeout", "1s")
        .set("holdfast.message.max-payload", "64KiB")
        .launch();
  }
}
