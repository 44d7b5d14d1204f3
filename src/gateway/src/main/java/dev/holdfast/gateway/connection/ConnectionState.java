package dev.holdfast.gateway.connection;

import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;

/** The life of a connection. Where it goes on each event stands in one table, {@link #next}. */
public enum ConnectionState {
  /** The stream is open; the first frame has not arrived. */
  AWAITING_INIT,
  /** Redis has been asked for the identity. */
  ACQUIRING,
  /** The identity is held. */
  HELD,
  /** The identity is held, but the lock cannot be refreshed just now. */
  SUSPECT,
  /** The connection has ended; its clean-up runs. */
  CLOSING,
  /** Nothing is left of it. Absorbs every event. */
  CLOSED;

  private static final Map<ConnectionState, Map<ConnectionEvent, ConnectionState>> TABLE =
      new EnumMap<>(ConnectionState.class);

  static {
    for (ConnectionState state : values()) {
      TABLE.put(state, new EnumMap<>(ConnectionEvent.class));
    }
    on(AWAITING_INIT, ConnectionEvent.INIT, ACQUIRING);
    on(AWAITING_INIT, ConnectionEvent.END, CLOSING);
    on(ACQUIRING, ConnectionEvent.ACQUIRED, HELD);
    on(ACQUIRING, ConnectionEvent.END, CLOSING);
    on(HELD, ConnectionEvent.LEASE_SUSPECT, SUSPECT);
    on(HELD, ConnectionEvent.END, CLOSING);
    on(SUSPECT, ConnectionEvent.LEASE_HELD, HELD);
    on(SUSPECT, ConnectionEvent.END, CLOSING);
    on(CLOSING, ConnectionEvent.CLEANED, CLOSED);
  }

  /** Returns the state that {@code event} leads to; empty if the event is to be ignored. */
  Optional<ConnectionState> next(ConnectionEvent event) {
    return Optional.ofNullable(TABLE.getOrDefault(this, Map.of()).get(event));
  }

  /** Says whether the identity is held. */
  public boolean holdsIdentity() {
    return this == HELD || this == SUSPECT;
  }

  private static void on(ConnectionState from, ConnectionEvent event, ConnectionState to) {
    Map<ConnectionEvent, ConnectionState> row = TABLE.get(from);
    if (row == null) {
      throw new IllegalStateException("no row for " + from);
    }
    row.put(event, to);
  }
}
