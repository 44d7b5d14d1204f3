package dev.holdfast.gateway.admin;

import dev.holdfast.gateway.error.GatewayError;
import dev.holdfast.gateway.error.GatewayException;
import java.time.Duration;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Waits for answers on the request's own thread. */
final class Answer {
  /** Beyond every limit of the configuration; only a defect lasts as long. */
  private static final Duration LIMIT = Duration.ofMinutes(3);

  private Answer() {}

  /**
   * Waits for {@code stage}.
   *
   * @throws GatewayException the one it failed with
   */
  static <T> T of(CompletionStage<T> stage) {
    try {
      return stage.toCompletableFuture().get(LIMIT.toMillis(), TimeUnit.MILLISECONDS);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof GatewayException known) {
        throw known;
      }
      throw new IllegalStateException("an answer failed", e.getCause());
    } catch (TimeoutException e) {
      throw new IllegalStateException("no answer within " + LIMIT, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new GatewayException(GatewayError.SHUTTING_DOWN, "The gateway is stopping.");
    }
  }
}
