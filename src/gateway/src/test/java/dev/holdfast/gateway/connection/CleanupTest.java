package dev.holdfast.gateway.connection;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.gateway.access.ApiKey;
import dev.holdfast.gateway.access.Caller;
import dev.holdfast.gateway.audit.AuditLog;
import dev.holdfast.gateway.identity.ConnectionId;
import dev.holdfast.gateway.lock.IdentityLock;
import dev.holdfast.gateway.lock.LockKey;
import dev.holdfast.gateway.lock.LockRecord;
import dev.holdfast.gateway.testing.FakeClock;
import dev.holdfast.gateway.testing.MemoryIdentityLock;
import dev.holdfast.gateway.testing.RecordingMeters;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class CleanupTest {
  private final FakeClock clock = new FakeClock();
  private final MemoryIdentityLock locks = new MemoryIdentityLock(clock.wallClock());
  private final IdentityLock lock = locks.on("gw-1", "e1");
  private final List<String> steps = new ArrayList<>();
  private final Handler audit = new AuditHandler();
  private final LockKey key =
      new LockKey(Gateway.identity("a"), ConnectionId.random(new SecureRandom()));
  private final LockRecord record =
      new LockRecord(key.session(), 7, "gw-1", "e1", "key-1", Instant.EPOCH);

  @BeforeEach
  void listen() {
    locks.put(key.identity(), record);
    Logger.getLogger(AuditLog.LOGGER).addHandler(audit);
  }

  @AfterEach
  void silence() {
    Logger.getLogger(AuditLog.LOGGER).removeHandler(audit);
  }

  @Test
  void run_allSteps_inOrderWithTheTrueCause() {
    run(new Cleanup.Steps((i, s) -> steps.add("quota"), (i, s, c) -> steps.add(c), new AuditLog()));

    assertThat(steps).hasSize(4);
    assertThat(steps.subList(0, 3)).containsExactly("released true", "quota", "KEEPALIVE_TIMEOUT");
    assertThat(steps.get(3))
        .isEqualTo(
            ("event=disconnected identity=agent/acme/builder/a session=%s token=7"
                    + " cause=KEEPALIVE_TIMEOUT gateway=gw-1 key=key-1 peer=10.0.0.1:99"
                    + " resumed=true released=true held_ms=1500 cleanup_ms=0")
                .formatted(key.session()));
  }

  @Test
  void run_stepsThrow_theOthersRunAllTheSame() {
    run(
        new Cleanup.Steps(
            (i, s) -> {
              throw new IllegalStateException("quota is down");
            },
            (i, s, c) -> {
              throw new IllegalStateException("tasks are down");
            },
            new AuditLog()));

    assertThat(steps).hasSize(2).first().isEqualTo("released true");
    assertThat(steps.get(1)).startsWith("event=disconnected");
  }

  @Test
  void run_redisGone_saysSoAndGoesOn() {
    locks.down(true);

    run(new Cleanup.Steps((i, s) -> steps.add("quota"), (i, s, c) -> {}, new AuditLog()));

    assertThat(steps.get(0)).isEqualTo("released false");
    assertThat(steps.get(1)).isEqualTo("quota");
    assertThat(steps.get(2)).contains(" released=false ");
  }

  @Test
  void run_lockIsAnothers_leavesItAlone() {
    ConnectionId other = ConnectionId.random(new SecureRandom());
    locks.put(key.identity(), new LockRecord(other, 8, "gw-2", "e2", "key-1", Instant.EPOCH));

    run(new Cleanup.Steps((i, s) -> {}, (i, s, c) -> {}, new AuditLog()));

    assertThat(steps.get(0)).isEqualTo("released true");
    assertThat(locks.holder(key.identity()))
        .isNotNull()
        .extracting(LockRecord::session)
        .isEqualTo(other);
  }

  private void run(Cleanup.Steps after) {
    Environment environment =
        new Environment(clock, clock.ticker(), clock.wallClock(), new SecureRandom());
    ConnectionLog log = new ConnectionLog();
    Cleanup cleanup =
        new Cleanup(
            new LockReleaser(lock, environment, Duration.ofSeconds(30), log),
            after,
            environment,
            new ConnectionMeters(new RecordingMeters()),
            log);
    clock.advance(Duration.ofMillis(1500));
    var done =
        cleanup.run(
            new Cleanup.Ended(
                key,
                record,
                true,
                new Caller(new ApiKey("key-1", List.of()), "10.0.0.1:99"),
                CloseCause.KEEPALIVE_TIMEOUT,
                0,
                environment.nanos()),
            released -> steps.add("released " + released));
    assertThat(done.toCompletableFuture()).isCompleted();
  }

  private final class AuditHandler extends Handler {
    @Override
    public void publish(LogRecord line) {
      steps.add(line.getMessage());
    }

    @Override
    public void flush() {}

    @Override
    public void close() {}
  }
}
