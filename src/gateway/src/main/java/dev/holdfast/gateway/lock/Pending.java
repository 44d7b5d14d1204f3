package dev.holdfast.gateway.lock;

import java.util.concurrent.CompletableFuture;

/**
 * One item that waits for its part of a script's reply.
 *
 * @param deadlineNanos until when the promise must be kept, by the monotonic clock
 */
record Pending<I, O>(I item, long deadlineNanos, CompletableFuture<O> promise) {
  Pending(I item, long deadlineNanos) {
    this(item, deadlineNanos, new CompletableFuture<>());
  }
}
