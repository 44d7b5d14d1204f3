package dev.holdfast.gateway.error;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * An error of the catalogue, with what was wrong in this case.
 *
 * <p>It is an answer, not a defect, so it carries no stack trace. Its message is shown to clients:
 * it names the value that was wrong and what to do, and never a secret.
 */
public final class GatewayException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final GatewayError error;
  private final transient Map<String, String> metadata;
  private final transient @Nullable Duration retryAfter;

  public GatewayException(GatewayError error, String message) {
    this(error, message, Map.of(), null);
  }

  public GatewayException(GatewayError error, String message, Duration retryAfter) {
    this(error, message, Map.of(), retryAfter);
  }

  /**
   * Makes an error with details.
   *
   * @param metadata what {@code google.rpc.ErrorInfo} tells beside the reason; copied
   * @param retryAfter when the same request may succeed; null if waiting does not help
   */
  public GatewayException(
      GatewayError error,
      String message,
      Map<String, String> metadata,
      @Nullable Duration retryAfter) {
    super(message, null, false, false);
    this.error = error;
    this.metadata = Map.copyOf(metadata);
    this.retryAfter = retryAfter;
  }

  public GatewayError error() {
    return error;
  }

  public Map<String, String> metadata() {
    return metadata;
  }

  public Optional<Duration> retryAfter() {
    return Optional.ofNullable(retryAfter);
  }

  /** Returns the message, which is never null. */
  @Override
  public String getMessage() {
    return String.valueOf(super.getMessage());
  }
}
