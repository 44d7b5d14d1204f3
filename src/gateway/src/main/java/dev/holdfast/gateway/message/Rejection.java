package dev.holdfast.gateway.message;

import dev.holdfast.gateway.error.GatewayError;
import dev.holdfast.gateway.error.GatewayException;
import dev.holdfast.protocol.peer.v1.DeliverResult;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/**
 * Why a message was not accepted.
 *
 * @param message what was wrong, with the value, and what to do
 * @param retryAfter when trying again makes sense
 */
record Rejection(GatewayError error, String message, Optional<Duration> retryAfter) {
  /** How soon a full queue may have room again. */
  static final Duration OVERLOAD_RETRY = Duration.ofMillis(200);

  /** How soon a receiver that is away may be back; that of a client's first reconnect. */
  static final Duration ABSENCE_RETRY = Duration.ofSeconds(1);

  static Rejection notConnected(String to) {
    return new Rejection(
        GatewayError.NOT_CONNECTED,
        "No connection holds %s.".formatted(to),
        Optional.of(ABSENCE_RETRY));
  }

  static Rejection receiverFull(String to) {
    return new Rejection(
        GatewayError.OVERLOADED,
        "%s reads too slowly: its queue is full.".formatted(to),
        Optional.of(OVERLOAD_RETRY));
  }

  static Rejection laneFull(String to) {
    return new Rejection(
        GatewayError.OVERLOADED,
        "Too many of your messages are under way to other gateways; this one, to %s, was not sent."
            .formatted(to),
        Optional.of(OVERLOAD_RETRY));
  }

  static Rejection unknown(String to, String cause) {
    return new Rejection(
        GatewayError.DELIVERY_UNKNOWN,
        "The gateway that holds %s gave no answer (%s): the message may have been accepted."
            .formatted(to, cause),
        Optional.empty());
  }

  static Rejection lookupFailed(@Nullable Throwable failure) {
    return new Rejection(
        GatewayError.LOCK_STORE_UNAVAILABLE,
        "The receiver could not be looked up (%s); the message was not sent."
            .formatted(reasonOf(failure)),
        Optional.of(ABSENCE_RETRY));
  }

  /** Says what it means that another gateway gave no answer. */
  static Rejection ofFailedAsk(String to, @Nullable Throwable failure) {
    Throwable cause = unwrap(failure);
    return cause instanceof GatewayException e && e.error() == GatewayError.OVERLOADED
        ? new Rejection(
            GatewayError.OVERLOADED,
            "Too much is queued for the gateway that holds %s; the message was not sent."
                .formatted(to),
            Optional.of(OVERLOAD_RETRY))
        : unknown(to, reasonOf(cause));
  }

  /** Reads the refusal of another gateway. */
  static Rejection ofPeer(String to, DeliverResult result) {
    return result.getReason().equals(GatewayError.OVERLOADED.name())
        ? receiverFull(to)
        : unknown(to, result.getReason());
  }

  private static String reasonOf(@Nullable Throwable failure) {
    Throwable cause = unwrap(failure);
    return cause instanceof GatewayException e ? e.error().name() : "internal failure";
  }

  private static @Nullable Throwable unwrap(@Nullable Throwable failure) {
    return failure instanceof CompletionException ? failure.getCause() : failure;
  }

  static Rejection never(GatewayError error, String message) {
    return new Rejection(error, message, Optional.empty());
  }
}
