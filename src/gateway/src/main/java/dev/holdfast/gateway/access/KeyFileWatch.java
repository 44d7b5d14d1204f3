package dev.holdfast.gateway.access;

import dev.holdfast.gateway.config.ConfigException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;

/**
 * The keys of a key file, taken over anew whenever its text changes. A file with a mistake changes
 * nothing and is logged once.
 *
 * <p>The text is compared, not the time stamp: it cannot miss two changes within one tick of the
 * file system, nor a mount that swaps a symbolic link.
 */
public final class KeyFileWatch implements AutoCloseable {
  private static final Duration INTERVAL = Duration.ofSeconds(5);

  private final Path file;
  private final ApiKeys keys;
  private final ScheduledFuture<?> schedule;
  private volatile boolean closed;

  // Touched by the scheduled task only, whose runs follow one another.
  private String lastSeen;
  private String lastComplaint = "";

  private KeyFileWatch(Path file, String text, ScheduledExecutorService timers) {
    this.file = file;
    this.keys = ApiKeys.parse(file.toString(), text);
    this.lastSeen = text;
    long millis = INTERVAL.toMillis();
    this.schedule =
        timers.scheduleWithFixedDelay(this::look, millis, millis, TimeUnit.MILLISECONDS);
  }

  /**
   * Reads a key file and watches it from then on.
   *
   * @throws ConfigException if it cannot be read, or for its first line that is wrong
   */
  public static KeyFileWatch start(Path file, ScheduledExecutorService timers) {
    return new KeyFileWatch(file, ApiKeys.textOf(file), timers);
  }

  /** Returns the keys; they follow the file. */
  public ApiKeys keys() {
    return keys;
  }

  private void look() {
    if (closed) {
      return;
    }
    try {
      takeOver(ApiKeys.textOf(file));
    } catch (RuntimeException e) { // A task that throws would never run again.
      complain(String.valueOf(e.getMessage()));
    }
  }

  private void takeOver(String text) {
    if (text.equals(lastSeen)) {
      return;
    }
    lastSeen = text;
    lastComplaint = "";
    keys.replace(file.toString(), text);
    AccessLog.keyFileTaken(file, keys.size());
  }

  private void complain(String complaint) {
    if (!complaint.equals(lastComplaint)) {
      lastComplaint = complaint;
      AccessLog.keyFileRefused(complaint);
    }
  }

  @Override
  public void close() {
    closed = true;
    schedule.cancel(false);
  }
}
