package dev.holdfast.client;

/** The reasons that this SDK knows: those it reacts to, and those it gives itself. */
final class Reasons {
  // Given by a gateway.
  static final String DUPLICATE_IDENTITY = "DUPLICATE_IDENTITY";
  static final String FORCE_DISCONNECT = "FORCE_DISCONNECT";
  static final String GOING_AWAY = "GOING_AWAY";
  static final String IDENTITY_NOT_ALLOWED = "IDENTITY_NOT_ALLOWED";
  static final String LOCK_LOST = "LOCK_LOST";
  static final String SUPERSEDED = "SUPERSEDED";
  static final String TOO_LARGE = "TOO_LARGE";
  static final String UNAUTHENTICATED = "UNAUTHENTICATED";
  static final String DELIVERY_UNKNOWN = "DELIVERY_UNKNOWN";

  // Given by this SDK.
  static final String CLOSED_BY_CLIENT = "CLOSED_BY_CLIENT";
  static final String CONNECT_TIMEOUT = "CONNECT_TIMEOUT";
  static final String DUPLICATE_CORRELATION_ID = "DUPLICATE_CORRELATION_ID";
  static final String INTERNAL_ERROR = "INTERNAL_ERROR";
  static final String LEASE_EXPIRED = "LEASE_EXPIRED";
  static final String LEASE_SUSPECT = "LEASE_SUSPECT";
  static final String NOT_RESUMED = "NOT_RESUMED";
  static final String NOT_SENT = "NOT_SENT";
  static final String PROTOCOL_ERROR = "PROTOCOL_ERROR";
  static final String STREAM_ENDED = "STREAM_ENDED";
  static final String TOO_MANY_UNRECEIPTED = "TOO_MANY_UNRECEIPTED";

  private Reasons() {}
}
