package dev.holdfast.systemtests.suite;

import dev.holdfast.systemtests.harness.RedisProcess;
import java.util.List;

/** The identity locks as they stand in Redis. */
public final class Locks {
  private static final String NONE = "(nil)";

  private final RedisProcess redis;

  Locks(RedisProcess redis) {
    this.redis = redis;
  }

  /** Says whether anybody holds {@code identity}. */
  public boolean isHeld(String identity) {
    return redis.command("EXISTS", key(identity)).equals("1");
  }

  /** Returns what Redis keeps of who holds {@code identity}; empty if nobody does. */
  public String holder(String identity) {
    String value = redis.command("GET", key(identity));
    return value.equals(NONE) ? "" : value;
  }

  /**
   * Returns how many milliseconds the lock lasts if nobody refreshes it; negative if it is free.
   */
  public long remainingMillis(String identity) {
    return Long.parseLong(redis.command("PTTL", key(identity)));
  }

  /** Lets the lock expire after {@code millis}, unless somebody refreshes it. */
  public void expireAfter(String identity, long millis) {
    redis.command("PEXPIRE", key(identity), Long.toString(millis));
  }

  /** Takes the lock away from whoever holds it. */
  public void delete(String identity) {
    redis.command("DEL", key(identity));
  }

  /** Returns what Redis keeps of every held identity. */
  public List<String> holders() {
    return redis
        .command("KEYS", "holdfast:{*}:lock")
        .lines()
        .filter(key -> !key.isEmpty())
        .map(key -> redis.command("GET", key))
        .filter(value -> !value.equals(NONE))
        .toList();
  }

  private static String key(String identity) {
    return "holdfast:{" + identity + "}:lock";
  }
}
