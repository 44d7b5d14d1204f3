package dev.holdfast.client;

/**
 * What must be kept to resume a session in another process.
 *
 * @param sessionId from the newest acknowledgement; not empty
 * @param assignedId the id that the gateway assigned to a task; empty for every other principal
 */
public record SavedSession(String sessionId, String assignedId) {
  /** Checks that the session id isn't empty. */
  public SavedSession {
    Check.text("sessionId", sessionId, 1_000);
    Check.optionalText("assignedId", assignedId, 1_000);
  }
}
