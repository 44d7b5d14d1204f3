package dev.holdfast.client;

import com.google.protobuf.Any;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import com.google.rpc.ErrorInfo;
import com.google.rpc.RetryInfo;
import io.grpc.Status;
import io.grpc.protobuf.StatusProto;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/** Turns gRPC statuses with their details into typed exceptions. */
final class Failures {
  static final String DOMAIN = "holdfast.dev";

  private static final Map<String, Function<Failure, HoldfastException>> BY_REASON =
      Map.of(
          Reasons.DUPLICATE_IDENTITY,
          DuplicateIdentityException::new,
          Reasons.UNAUTHENTICATED,
          UnauthenticatedException::new,
          Reasons.IDENTITY_NOT_ALLOWED,
          IdentityNotAllowedException::new,
          Status.Code.PERMISSION_DENIED.name(),
          IdentityNotAllowedException::new,
          Reasons.LOCK_LOST,
          LockLostException::new,
          Reasons.FORCE_DISCONNECT,
          ForceDisconnectedException::new,
          Reasons.SUPERSEDED,
          SupersededException::new);

  private Failures() {}

  /** The failure that {@code thrown}, the end of a stream, tells of. */
  static HoldfastException of(Throwable thrown) {
    Status status = Status.fromThrowable(thrown);
    com.google.rpc.Status details = details(thrown);
    Optional<ErrorInfo> info =
        detail(details, ErrorInfo.class).filter(i -> i.getDomain().equals(DOMAIN));
    Optional<Duration> retryAfter =
        detail(details, RetryInfo.class)
            .filter(RetryInfo::hasRetryDelay)
            .map(r -> toDuration(r.getRetryDelay()));
    String reason = info.map(ErrorInfo::getReason).orElse(status.getCode().name());
    return typed(
        status.getCode(),
        new Failure(
            reason,
            describe(status),
            kind(status.getCode(), reason, retryAfter.isPresent()),
            info.isPresent(),
            retryAfter,
            info.map(ErrorInfo::getMetadataMap).orElse(Map.of()),
            thrown));
  }

  /** A failure that this client found itself and that is worth another attempt. */
  static HoldfastException local(String reason, String message) {
    return new HoldfastException(Failure.local(reason, message, Failure.Kind.TRANSIENT));
  }

  /** The gateway ended the stream without an error. */
  static HoldfastException streamEnded() {
    return new GatewayUnavailableException(
        new Failure(
            Reasons.STREAM_ENDED,
            "the gateway ended the stream",
            Failure.Kind.TRANSIENT,
            true,
            Optional.empty(),
            Map.of(),
            null));
  }

  static Duration toDuration(com.google.protobuf.Duration value) {
    return Duration.ofSeconds(value.getSeconds(), value.getNanos());
  }

  /** The description, and, when the transport failed, what it says about that. */
  private static String describe(Status status) {
    String description =
        Optional.ofNullable(status.getDescription()).orElse("the gateway gave no description");
    Throwable below = status.getCause();
    return below == null ? description : description + ": " + below.getMessage();
  }

  private static com.google.rpc.Status details(Throwable thrown) {
    com.google.rpc.Status details = StatusProto.fromThrowable(thrown);
    return details == null ? com.google.rpc.Status.getDefaultInstance() : details;
  }

  private static HoldfastException typed(Status.Code code, Failure failure) {
    Function<Failure, HoldfastException> byReason = BY_REASON.get(failure.reason());
    if (byReason != null) {
      return byReason.apply(failure);
    }
    return switch (code) {
      case UNAUTHENTICATED -> new UnauthenticatedException(failure);
      case UNAVAILABLE, DEADLINE_EXCEEDED -> new GatewayUnavailableException(failure);
      default -> new HoldfastException(failure);
    };
  }

  private static Failure.Kind kind(Status.Code code, String reason, boolean retryTold) {
    return switch (reason) {
      case Reasons.FORCE_DISCONNECT, Reasons.SUPERSEDED -> Failure.Kind.FINAL;
      case Reasons.DUPLICATE_IDENTITY -> Failure.Kind.DUPLICATE;
      case Reasons.LOCK_LOST, Reasons.GOING_AWAY -> Failure.Kind.TRANSIENT;
      default -> kind(code, retryTold);
    };
  }

  private static Failure.Kind kind(Status.Code code, boolean retryTold) {
    return switch (code) {
      case UNAUTHENTICATED, PERMISSION_DENIED -> Failure.Kind.FINAL;
      case ABORTED,
          CANCELLED,
          DEADLINE_EXCEEDED,
          INTERNAL,
          RESOURCE_EXHAUSTED,
          UNAVAILABLE,
          UNKNOWN ->
          Failure.Kind.TRANSIENT;
      default -> retryTold ? Failure.Kind.TRANSIENT : Failure.Kind.FINAL;
    };
  }

  private static <T extends Message> Optional<T> detail(
      com.google.rpc.Status status, Class<T> type) {
    for (Any any : status.getDetailsList()) {
      if (any.is(type)) {
        try {
          return Optional.of(any.unpack(type));
        } catch (InvalidProtocolBufferException malformed) {
          return Optional.empty();
        }
      }
    }
    return Optional.empty();
  }
}
