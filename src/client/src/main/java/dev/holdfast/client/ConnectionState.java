package dev.holdfast.client;

/** What the holder of a {@link Connection} may rely on just now. */
public enum ConnectionState {
  /** The identity has never been held yet. */
  CONNECTING,
  /** The identity is held. */
  HELD,
  /**
   * The identity may or may not be held: the gateway can't refresh the lock just now, or the stream
   * to the gateway is broken. Stop side effects that can't be fenced.
   */
  SUSPECT,
  /**
   * The identity is not held. The connection tries to acquire it again; if it succeeds, the state
   * is {@link #HELD} with a greater fencing token.
   */
  LOST,
  /** The identity is not held, and the connection will not try again. Final. */
  CLOSED;

  /** Whether a connection in this state may go to {@code next}. */
  boolean canBecome(ConnectionState next) {
    return switch (this) {
      case CONNECTING -> next == HELD || next == CLOSED;
      case HELD -> next == SUSPECT || next == LOST || next == CLOSED;
      case SUSPECT -> next == HELD || next == LOST || next == CLOSED;
      case LOST -> next == HELD || next == CLOSED;
      case CLOSED -> false;
    };
  }
}
