package dev.holdfast.client;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The highest fencing token seen from each of the senders heard last. Bounded: a sender that wasn't
 * heard for long enough is forgotten. Not thread-safe.
 */
final class FencingMemory {
  private final int maxSenders;
  private final Map<String, Long> newest = new LinkedHashMap<>(16, 0.75f, /* accessOrder= */ true);

  FencingMemory(int maxSenders) {
    this.maxSenders = maxSenders;
  }

  /**
   * Learns a token.
   *
   * @return the highest token of this sender, which is {@code token} unless it's stale; tokens are
   *     unsigned
   */
  long learn(String sender, long token) {
    Long known = newest.get(sender);
    if (known != null && Long.compareUnsigned(token, known) < 0) {
      return known;
    }
    newest.put(sender, token);
    forgetSurplus();
    return token;
  }

  private void forgetSurplus() {
    if (newest.size() > maxSenders) {
      String eldest = newest.keySet().iterator().next();
      newest.remove(eldest);
    }
  }
}
