package dev.holdfast.client;

import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.function.Supplier;

/** Calls the application: its listener and its session store, serially and never under a lock. */
final class Notifier {
  private final Executor serial;
  private final Principal principal;
  private final ConnectOptions options;
  private final Supplier<Connection> connection;

  /** A notifier that hands {@code connection} to the listener once there is something to tell. */
  Notifier(
      Executor threads,
      Principal principal,
      ConnectOptions options,
      Supplier<Connection> connection) {
    this.serial = new SerialExecutor(threads);
    this.principal = principal;
    this.options = options;
    this.connection = connection;
  }

  void stateChange(StateChange change) {
    tell(() -> options.listener().onStateChange(connection.get(), change));
  }

  void message(ReceivedMessage message, Runnable consumed) {
    tell(() -> options.listener().onMessage(connection.get(), message));
    serial.execute(consumed);
  }

  void staleMessage(ReceivedMessage message, long newestToken, Runnable consumed) {
    tell(() -> options.listener().onStaleMessage(connection.get(), message, newestToken));
    serial.execute(consumed);
  }

  void goingAway(String reason) {
    tell(() -> options.listener().onGoingAway(connection.get(), reason));
  }

  void retry(Duration delay, HoldfastException cause) {
    tell(() -> options.listener().onRetry(principal, delay, cause));
  }

  /** Runs {@code task}, which must not block, after everything that was told. */
  void afterwards(Runnable task) {
    serial.execute(task);
  }

  /** Saves the session before whatever is told next. */
  void save(SavedSession session) {
    serial.execute(
        () -> {
          try {
            options.sessionStore().save(principal, session);
          } catch (IOException | RuntimeException e) {
            ClientLog.sessionNotSaved(principal, e);
          }
        });
  }

  /** The saved session; empty if there is none or it can't be read. Blocks. */
  Optional<SavedSession> load() {
    try {
      return options.sessionStore().load(principal);
    } catch (IOException | RuntimeException e) {
      ClientLog.sessionNotLoaded(principal, e);
      return Optional.empty();
    }
  }

  private void tell(Runnable call) {
    serial.execute(
        () -> {
          try {
            call.run();
          } catch (RuntimeException | Error e) {
            ClientLog.listenerFailed(principal, e);
          }
        });
  }
}
