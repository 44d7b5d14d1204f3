package dev.holdfast.gateway.connection;

import dev.holdfast.gateway.message.SerialContext;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Future;
import java.util.random.RandomGenerator;

/**
 * Ends every connection of a gateway that stops: no newcomers, everybody is told, every lock is
 * released, every stream ends, all before a deadline and whether or not Redis answers.
 *
 * <p>Runs once. Thread-safe, never blocks.
 */
public final class Drain {
  /** Enough to keep Redis busy; few enough that other gateways' commands still get through. */
  private static final int MAX_PARALLEL = 256;

  private static final String REASON = "The gateway is stopping.";
  private static final Duration SHORTEST_RETRY = Duration.ofMillis(200);
  private static final long SHORTEST_SPREAD_MILLIS = 1_000;
  private static final long LONGEST_SPREAD_MILLIS = 10_000;

  private record Leaving(Connection connection, Duration retryAfter) {}

  private final ConnectionRegistry registry;
  private final Environment environment;
  private final ConnectionLog log;
  private final CompletableFuture<Integer> done = new CompletableFuture<>();
  private final SerialContext serial;

  // Confined to the serial context.
  private final Queue<Leaving> waiting = new ArrayDeque<>();
  private int parallel = MAX_PARALLEL;
  private int releasing;
  private int unreleased;

  Drain(ConnectionRegistry registry, Environment environment, ConnectionLog log) {
    this.registry = registry;
    this.environment = environment;
    this.log = log;
    this.serial = new SerialContext(done::completeExceptionally);
  }

  /**
   * Starts the drain.
   *
   * @return completes by the deadline, never exceptionally, with how many locks are not known to be
   *     released
   */
  public CompletionStage<Integer> start(Duration deadline) {
    long startNanos = environment.nanos();
    List<Connection> all = registry.shut();
    log.drainStarted(all.size(), deadline);
    Future<?> timer = environment.after(deadline, () -> serial.execute(this::abandon));
    serial.execute(() -> begin(all, environment.wallClock().instant().plus(deadline)));
    return done.handle(
        (left, defect) -> {
          timer.cancel(false);
          int unreleasedLocks = defect == null ? left : all.size();
          log.drained(unreleasedLocks, environment.since(startNanos));
          return unreleasedLocks;
        });
  }

  /**
   * Chooses when a client may come back, so that all of them do not come at once.
   *
   * @param clients how many are sent away together: the more, the wider they are spread
   */
  static Duration retryAfter(RandomGenerator random, int clients) {
    long spread = Math.max(SHORTEST_SPREAD_MILLIS, Math.min(LONGEST_SPREAD_MILLIS, clients));
    return SHORTEST_RETRY.plusMillis(random.nextLong(spread));
  }

  private void begin(List<Connection> all, Instant endsAt) {
    for (Connection connection : all) {
      Duration retryAfter = retryAfter(environment.random(), all.size());
      connection.goAway(REASON, retryAfter, endsAt);
      waiting.add(new Leaving(connection, retryAfter));
    }
    proceed();
  }

  private void proceed() {
    while (releasing < parallel && !waiting.isEmpty()) {
      Leaving next = waiting.remove();
      releasing++;
      next.connection()
          .shutDown(next.retryAfter())
          .thenAccept(released -> serial.execute(() -> onReleased(released)));
    }
    if (releasing == 0 && waiting.isEmpty()) {
      done.complete(unreleased);
    }
  }

  private void onReleased(boolean released) {
    releasing--;
    if (!released) {
      unreleased++;
      parallel =
          Integer.MAX_VALUE; // Redis is gone; waiting for it in turn would miss the deadline.
    }
    proceed();
  }

  private void abandon() {
    if (done.isDone()) {
      return;
    }
    int left = unreleased + releasing + waiting.size();
    waiting.forEach(leaving -> leaving.connection().shutDown(leaving.retryAfter()));
    waiting.clear();
    registry.forEach(Connection::endStreamNow);
    done.complete(left);
  }
}
