package dev.holdfast.gateway.access;

import dev.holdfast.gateway.identity.Identity;
import java.util.List;

/**
 * One API key as the gateway knows it: never the key itself.
 *
 * @param id its public name, of letters, digits, {@code .}, {@code _} and {@code -}; it stands in
 *     logs, listings and lock records
 * @param identities the identities that it may hold; none if empty
 */
public record ApiKey(String id, List<IdentityPattern> identities) {
  public ApiKey {
    identities = List.copyOf(identities);
  }

  /** Says whether a principal with this key may hold {@code identity}. */
  public boolean mayHold(Identity identity) {
    for (IdentityPattern pattern : identities) {
      if (pattern.matches(identity)) {
        return true;
      }
    }
    return false;
  }
}
