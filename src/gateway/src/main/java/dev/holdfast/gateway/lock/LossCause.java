package dev.holdfast.gateway.lock;

/** Why a lease was lost. */
public enum LossCause {
  /** Redis could not be reached until the local lease deadline. */
  LEASE_EXPIRED("the lease ran out before Redis could be reached again"),
  /** A refresh found that the lock is gone or has another owner. */
  NOT_OWNER("the lock in Redis is gone or has another owner");

  private final String text;

  LossCause(String text) {
    this.text = text;
  }

  /** Returns the cause in words, for clients and logs. */
  public String text() {
    return text;
  }
}
