package dev.holdfast.gateway.connection;

/** What can happen to a connection. */
enum ConnectionEvent {
  /** A valid first frame arrived. */
  INIT,
  /** The identity is held. */
  ACQUIRED,
  /** The lock could not be refreshed. */
  LEASE_SUSPECT,
  /** The lock was refreshed again. */
  LEASE_HELD,
  /** Anything that ends the connection. */
  END,
  /** Lock, quota, task and audit are done with. */
  CLEANED
}
