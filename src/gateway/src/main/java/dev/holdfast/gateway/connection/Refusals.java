package dev.holdfast.gateway.connection;

import dev.holdfast.gateway.access.ApiKey;
import dev.holdfast.gateway.error.GatewayError;
import dev.holdfast.gateway.error.GatewayException;
import dev.holdfast.gateway.identity.Identity;
import dev.holdfast.gateway.lock.AcquireResult;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/** The reasons for which a stream does not get its identity. Stateless. */
final class Refusals {
  private static final Duration FULL_RETRY = Duration.ofSeconds(5);
  private static final Duration STORE_RETRY = Duration.ofSeconds(1);

  private Refusals() {}

  static GatewayException full() {
    return new GatewayException(
        GatewayError.TOO_MANY_CONNECTIONS,
        "This gateway holds as many connections as it may; try another, or later.",
        FULL_RETRY);
  }

  /**
   * Checks that a key may hold an identity.
   *
   * @throws GatewayException {@code IDENTITY_NOT_ALLOWED}
   */
  static void authorise(ApiKey key, Identity identity) {
    if (!key.mayHold(identity)) {
      throw new GatewayException(
          GatewayError.IDENTITY_NOT_ALLOWED,
          "The API key '%s' may not hold %s; use another key, or have its patterns extended."
              .formatted(key.id(), identity),
          Map.of("identity", identity.toString()),
          null);
    }
  }

  static GatewayException duplicate(Identity identity, AcquireResult.Refused refused) {
    String since = refused.holder().since().toString();
    return new GatewayException(
        GatewayError.DUPLICATE_IDENTITY,
        "%s is held since %s; its lock lasts %d ms more unless it is refreshed."
            .formatted(identity, since, refused.remaining().toMillis()),
        Map.of("identity", identity.toString(), "held_since", since),
        refused.remaining());
  }

  static GatewayException answeredTooLate() {
    return new GatewayException(
        GatewayError.LOCK_STORE_UNAVAILABLE,
        "Redis gave the identity too late to rely on it; it was released again.",
        STORE_RETRY);
  }

  static GatewayException acquireFailed(@Nullable Throwable failure) {
    Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
    return cause instanceof GatewayException known
        ? new GatewayException(
            known.error(),
            known.getMessage(),
            known.metadata(),
            known.retryAfter().orElse(STORE_RETRY))
        : new GatewayException(
            GatewayError.INTERNAL, "The identity could not be asked for; the log has the details.");
  }
}
