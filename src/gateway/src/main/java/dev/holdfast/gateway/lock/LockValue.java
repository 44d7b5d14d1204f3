package dev.holdfast.gateway.lock;

import dev.holdfast.gateway.identity.ConnectionId;
import java.time.Instant;
import java.util.Optional;

/**
 * The string that Redis keeps for a held identity: twelve words, written by {@code acquire.lua}.
 *
 * @param lock who holds it
 * @param superseded the lock that it replaced by a resume, under the same API key
 */
record LockValue(LockRecord lock, Optional<LockRecord> superseded) {
  private static final String VERSION = "1";
  private static final String NONE = "-";
  private static final int WORDS = 12;

  /**
   * Reads a value.
   *
   * @throws IllegalArgumentException if it was not written by this version's script
   */
  static LockValue parse(String value) {
    String[] words = value.split(" ", -1);
    if (words.length != WORDS || !words[0].equals(VERSION)) {
      throw new IllegalArgumentException("not a lock of version " + VERSION + ": '" + value + "'");
    }
    LockRecord lock = lock(words[1], words[2], words[3], words[4], words[5], words[6]);
    return new LockValue(
        lock,
        words[7].equals(NONE)
            ? Optional.empty()
            : Optional.of(lock(words[7], words[8], words[9], words[10], words[5], words[11])));
  }

  private static LockRecord lock(
      String session, String token, String gateway, String epoch, String apiKey, String since) {
    return new LockRecord(
        new ConnectionId(session),
        Long.parseLong(token),
        gateway,
        epoch,
        apiKey,
        Instant.ofEpochMilli(Long.parseLong(since)));
  }

  /** Returns {@code word}, which is to stand in a value. */
  static String word(String word) {
    if (word.isEmpty() || word.equals(NONE) || word.chars().anyMatch(c -> c <= ' ')) {
      throw new IllegalArgumentException("not a word for a lock's value: '" + word + "'");
    }
    return word;
  }
}
