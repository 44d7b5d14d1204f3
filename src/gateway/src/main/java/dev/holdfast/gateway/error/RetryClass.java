package dev.holdfast.gateway.error;

/** Whether the same request may succeed later. */
public enum RetryClass {
  /** Never: the request, the credentials or the client's view of the world must change first. */
  NEVER,
  /** After the time that {@code RetryInfo} names. */
  AFTER_DELAY,
  /** By connecting again, as a new acquisition of the identity. */
  RECONNECT
}
