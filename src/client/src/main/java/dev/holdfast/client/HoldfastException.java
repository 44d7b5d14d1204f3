package dev.holdfast.client;

import java.io.Serial;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * Something that a gateway refused or ended, or that kept this client from reaching one.
 *
 * <p>Reasons with a meaning of their own have a subclass; a reason that this version doesn't know
 * arrives as this class. Immutable apart from what every {@link Throwable} can have added.
 */
public class HoldfastException extends RuntimeException {
  @Serial private static final long serialVersionUID = 1L;

  /**
   * What a failure consists of; {@code transient} because only the message outlives the process.
   */
  private final transient Failure failure;

  HoldfastException(Failure failure) {
    super(failure.reason() + ": " + failure.message(), failure.cause());
    this.failure = failure;
  }

  /**
   * The reason as the gateway's error catalogue names it. This SDK adds {@code CLOSED_BY_CLIENT},
   * {@code CONNECT_TIMEOUT}, {@code INTERNAL_ERROR}, {@code LEASE_EXPIRED}, {@code LEASE_SUSPECT},
   * {@code NOT_RESUMED}, {@code PROTOCOL_ERROR}, {@code STREAM_ENDED}, and, for a failure without a
   * reason, the name of the gRPC status code.
   */
  public final String reason() {
    return failure().reason();
  }

  /** When the gateway said that coming back makes sense; empty if it didn't say. */
  public final Optional<Duration> retryAfter() {
    return failure().retryAfter();
  }

  /** The facts that came with the reason, by name, such as {@code identity}; never null. */
  public final Map<String, String> metadata() {
    return failure().metadata();
  }

  final Failure failure() {
    return Objects.requireNonNull(failure, "the details of a failure are not serialized");
  }
}
