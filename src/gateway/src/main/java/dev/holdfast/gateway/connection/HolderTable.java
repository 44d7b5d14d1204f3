package dev.holdfast.gateway.connection;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Who holds each identity on this gateway: of all that claim one, the one with the greatest fencing
 * token.
 *
 * <p>Thread-safe. {@code V} must keep identity equality, since a late removal must never hit a
 * successor.
 */
final class HolderTable<V> {
  private final ConcurrentMap<String, V> holders = new ConcurrentHashMap<>();
  private final ToLongFunction<V> token;

  HolderTable(ToLongFunction<V> token) {
    this.token = token;
  }

  /**
   * Enters {@code claimant}.
   *
   * @return whoever does not hold the identity any more, or never did: the one that was there, or
   *     {@code claimant} itself if its token is not the greater; null if nobody lost it
   */
  @Nullable V publish(String identity, V claimant) {
    while (true) {
      V incumbent = holders.putIfAbsent(identity, claimant);
      if (incumbent == null) {
        return null;
      }
      if (token.applyAsLong(claimant) <= token.applyAsLong(incumbent)) {
        return claimant;
      }
      if (holders.replace(identity, incumbent, claimant)) {
        return incumbent;
      }
    }
  }

  /** Forgets {@code holder} if it is still the one; a later one is untouched. */
  boolean remove(String identity, V holder) {
    return holders.remove(identity, holder);
  }

  @Nullable V find(String identity) {
    return holders.get(identity);
  }

  int size() {
    return holders.size();
  }
}
