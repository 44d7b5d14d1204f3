package dev.holdfast.gateway.lock;

/** What a refresh found out about one lock. */
public enum RefreshResult {
  /** The session still owns it, and it lasts for another TTL. */
  EXTENDED,
  /** It is gone, or another session owns it. */
  NOT_OWNER,
  /** Redis did not answer for it: it may or may not have been extended. */
  UNKNOWN
}
