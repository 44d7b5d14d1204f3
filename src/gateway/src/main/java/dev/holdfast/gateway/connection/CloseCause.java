package dev.holdfast.gateway.connection;

import dev.holdfast.gateway.error.GatewayError;
import java.util.Locale;
import java.util.Optional;

/** Why a connection ended: the first of all that happened to it. */
public enum CloseCause {
  /** The client half-closed the stream. */
  CLIENT_COMPLETED(Optional.empty(), When.AFTER_RELEASE),
  /** The client reset the stream, or its deadline for it passed. */
  CLIENT_CANCELLED(Optional.empty(), When.AT_ONCE),
  /** The HTTP/2 connection ended under the stream: a crash, a cut, a closed channel. */
  CONNECTION_LOST(Optional.empty(), When.AT_ONCE),
  /** The HTTP/2 connection did not answer a keepalive ping. */
  KEEPALIVE_TIMEOUT(Optional.empty(), When.AT_ONCE),
  /** The transport ended the stream because of what the client sent. */
  TRANSPORT_ERROR(Optional.of(GatewayError.MALFORMED_FRAME), When.AT_ONCE),
  /** An administrator ended the connection. */
  FORCE_DISCONNECT(Optional.of(GatewayError.FORCE_DISCONNECT), When.AT_ONCE),
  /** Another stream resumed the session. */
  SUPERSEDED(Optional.of(GatewayError.SUPERSEDED), When.AT_ONCE),
  /** The lease ran out while Redis could not be reached. */
  LEASE_EXPIRED(Optional.of(GatewayError.LOCK_LOST), When.AT_ONCE),
  /** The lock in Redis was gone or another's. */
  NOT_OWNER(Optional.of(GatewayError.LOCK_LOST), When.AT_ONCE),
  /** This gateway is stopping. */
  SHUTDOWN(Optional.of(GatewayError.SHUTTING_DOWN), When.AFTER_RELEASE),
  /** The client sent a frame that it may not send. */
  PROTOCOL_ERROR(Optional.of(GatewayError.MALFORMED_FRAME), When.AT_ONCE),
  /** The first frame did not come in time. */
  INIT_TIMEOUT(Optional.of(GatewayError.INIT_TIMEOUT), When.AT_ONCE),
  /** The identity was not given: it is held, or not allowed, or this gateway is full. */
  REFUSED(Optional.of(GatewayError.DUPLICATE_IDENTITY), When.AT_ONCE),
  /** Whether the identity was given is not known: Redis did not answer, or too late. */
  ACQUIRE_FAILED(Optional.of(GatewayError.LOCK_STORE_UNAVAILABLE), When.AT_ONCE),
  /** A defect of the gateway. */
  INTERNAL(Optional.of(GatewayError.INTERNAL), When.AT_ONCE);

  /** When the stream ends. */
  enum When {
    AT_ONCE,
    /** After Redis has answered, so that a client that comes back at once is not refused. */
    AFTER_RELEASE
  }

  @SuppressWarnings("ImmutableEnumChecker") // Optional of an enum constant is immutable.
  private final Optional<GatewayError> error;

  private final When streamEnds;

  CloseCause(Optional<GatewayError> error, When streamEnds) {
    this.error = error;
    this.streamEnds = streamEnds;
  }

  /** Returns what the client is told if nothing more precise is known; empty if nothing. */
  public Optional<GatewayError> error() {
    return error;
  }

  When streamEnds() {
    return streamEnds;
  }

  /** Says whether the identity was lost while it was held. */
  boolean isLoss() {
    return this == LEASE_EXPIRED || this == NOT_OWNER;
  }

  /** Says whether the client is already gone, so that nothing can be sent to it. */
  boolean streamIsGone() {
    return this == CLIENT_CANCELLED
        || this == CONNECTION_LOST
        || this == KEEPALIVE_TIMEOUT
        || this == TRANSPORT_ERROR;
  }

  /** Returns the value of the metric tag {@code cause}. */
  String tag() {
    return name().toLowerCase(Locale.ROOT);
  }
}
