package dev.holdfast.gateway.message;

import org.jspecify.annotations.Nullable;

/** Finds who is connected to this gateway. Thread-safe; does not block or allocate. */
@FunctionalInterface
public interface Receivers {
  /** Returns the outbox of the connection that holds {@code identity} here; null if none does. */
  @Nullable Outbox find(String identity);
}
