package dev.holdfast.gateway.connection;

import dev.holdfast.gateway.identity.ConnectionId;
import dev.holdfast.gateway.message.Outbox;
import dev.holdfast.gateway.message.Receivers;
import dev.holdfast.gateway.telemetry.Meter;
import dev.holdfast.gateway.telemetry.Meters;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The connections of this gateway, by session and, while they hold it, by identity.
 *
 * <p>Thread-safe, never blocks. Presence is not liveness: a connection found here may be ending.
 */
public final class ConnectionRegistry implements Receivers {
  private final ConcurrentMap<ConnectionId, Connection> sessions = new ConcurrentHashMap<>();
  private final HolderTable<Connection> holders = new HolderTable<>(Connection::token);
  private final AdmissionGate gate;

  /**
   * Makes an empty registry.
   *
   * @param maxConnections how many connections it takes in at most
   */
  public ConnectionRegistry(int maxConnections, Meters meters) {
    this.gate = new AdmissionGate(maxConnections);
    meters.gauge(Meter.CONNECTIONS_ACTIVE, holders::size);
  }

  /** Returns how many connections hold their identity. */
  public int active() {
    return holders.size();
  }

  /** Says whether no further connection is taken in. */
  public boolean isDraining() {
    return gate.isShut();
  }

  /** Lists the connections whose identity is known. */
  public List<ConnectionView> views() {
    return sessions.values().stream().map(Connection::view).flatMap(Optional::stream).toList();
  }

  /** Describes one connection; empty if it is not here. */
  public Optional<ConnectionView> view(ConnectionId session) {
    return Optional.ofNullable(sessions.get(session)).flatMap(Connection::view);
  }

  /**
   * Ends a connection.
   *
   * @param detail in words, for the client and the log
   * @return empty if it is not here; else completes, never exceptionally, when its lock is
   *     released: with false if Redis did not confirm that
   */
  public Optional<CompletionStage<Boolean>> close(
      ConnectionId session, CloseCause cause, String detail) {
    return Optional.ofNullable(sessions.get(session))
        .map(connection -> connection.end(cause, detail));
  }

  @Override
  public @Nullable Outbox find(String identity) {
    Connection holder = holders.find(identity);
    return holder == null ? null : holder.outbox();
  }

  /**
   * Takes a connection in.
   *
   * <p>The gate may be shut at the same time, after which nobody looks for newcomers: one that is
   * admitted and then sees {@link #isDraining} must end itself.
   */
  AdmissionGate.Verdict admit(Connection connection) {
    AdmissionGate.Verdict verdict = gate.enter();
    if (verdict == AdmissionGate.Verdict.ADMITTED
        && sessions.putIfAbsent(connection.session(), connection) != null) {
      gate.leave();
      throw new IllegalStateException("session id used twice: " + connection.session());
    }
    return verdict;
  }

  /** Forgets a connection that was admitted; a second call has no effect. */
  void remove(Connection connection) {
    if (sessions.remove(connection.session(), connection)) {
      gate.leave();
    }
  }

  /** Makes a connection reachable under its identity; see {@link HolderTable#publish}. */
  @Nullable Connection publish(String identity, Connection connection) {
    return holders.publish(identity, connection);
  }

  void unpublish(String identity, Connection connection) {
    holders.remove(identity, connection);
  }

  /** Visits everybody who is here. */
  void forEach(Consumer<Connection> visitor) {
    sessions.values().forEach(visitor);
  }

  /** Takes nobody in from now on; returns who is here, or nothing if that was done before. */
  List<Connection> shut() {
    return gate.shut() ? List.copyOf(sessions.values()) : List.of();
  }
}
