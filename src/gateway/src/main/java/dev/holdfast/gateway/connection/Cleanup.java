package dev.holdfast.gateway.connection;

import dev.holdfast.gateway.access.Caller;
import dev.holdfast.gateway.audit.AuditEntry;
import dev.holdfast.gateway.audit.AuditLog;
import dev.holdfast.gateway.lock.LockKey;
import dev.holdfast.gateway.lock.LockRecord;
import dev.holdfast.gateway.quota.WorkspaceQuota;
import dev.holdfast.gateway.task.TaskUpdates;
import java.time.Duration;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;

/**
 * What follows the end of a connection that held an identity: release the lock, give back the
 * quota, update the task, write the audit entry.
 *
 * <p>The steps run in this order, each whether or not those before it worked, and each for the one
 * session that ended. Thread-safe, never blocks.
 */
final class Cleanup {
  /** The steps after the release. */
  record Steps(WorkspaceQuota quota, TaskUpdates tasks, AuditLog audit) {}

  /**
   * A connection that ended.
   *
   * @param acquiredNanos when the acquire was sent, by the monotonic clock
   * @param endedNanos when the connection ended, likewise
   */
  record Ended(
      LockKey key,
      LockRecord lock,
      boolean resumed,
      Caller caller,
      CloseCause cause,
      long acquiredNanos,
      long endedNanos) {}

  private final LockReleaser releaser;
  private final Steps steps;
  private final Environment environment;
  private final ConnectionMeters meters;
  private final ConnectionLog log;

  Cleanup(
      LockReleaser releaser,
      Steps steps,
      Environment environment,
      ConnectionMeters meters,
      ConnectionLog log) {
    this.releaser = releaser;
    this.steps = steps;
    this.environment = environment;
    this.meters = meters;
    this.log = log;
  }

  /**
   * Runs every step; to be called once per connection.
   *
   * @param onReleased hears, before the second step, whether Redis confirmed that the session owns
   *     the lock no longer
   * @return completes after the last step, never exceptionally
   */
  CompletionStage<Void> run(Ended ended, Consumer<Boolean> onReleased) {
    return releaser
        .release(ended.key())
        .handle((owned, failure) -> failure == null)
        .thenAccept(
            released -> {
              onReleased.accept(released);
              runRest(ended, released);
            });
  }

  private void runRest(Ended ended, boolean released) {
    LockKey key = ended.key();
    step("quota", key, () -> steps.quota().release(key.identity(), key.session()));
    step(
        "task",
        key,
        () -> steps.tasks().disconnected(key.identity(), key.session(), ended.cause().name()));
    Duration duration = environment.since(ended.endedNanos());
    step("audit", key, () -> steps.audit().disconnected(entry(ended, released, duration)));
    meters.cleanedUp(duration);
  }

  private void step(String name, LockKey key, Runnable body) {
    try {
      body.run();
    } catch (RuntimeException e) {
      log.cleanupStepFailed(name, key, e);
    }
  }

  private static AuditEntry entry(Ended ended, boolean released, Duration cleanup) {
    return new AuditEntry(
        ended.key().identity(),
        ended.key().session(),
        ended.lock().token(),
        ended.cause().name(),
        ended.lock().gatewayId(),
        ended.caller().key().id(),
        ended.caller().peer(),
        ended.resumed(),
        released,
        Duration.ofNanos(ended.endedNanos() - ended.acquiredNanos()),
        cleanup);
  }
}
