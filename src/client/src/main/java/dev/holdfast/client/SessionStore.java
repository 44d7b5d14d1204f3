package dev.holdfast.client;

import java.io.IOException;
import java.util.Optional;

/**
 * Keeps session ids across restarts of the process, one per principal.
 *
 * <p>Called on the client's executor, so that it may block. A failure is logged and the connection
 * goes on without: an outdated or missing session only costs the resume. Whoever can read a stored
 * session and has the same API key can take the identity over.
 */
public interface SessionStore {
  /** Keeps nothing. */
  SessionStore NONE =
      new SessionStore() {
        @Override
        public Optional<SavedSession> load(Principal principal) {
          return Optional.empty();
        }

        @Override
        public void save(Principal principal, SavedSession session) {}
      };

  /** The session that was saved last for this principal; empty if there is none. */
  Optional<SavedSession> load(Principal principal) throws IOException;

  /** Replaces what was saved for this principal. */
  void save(Principal principal, SavedSession session) throws IOException;
}
