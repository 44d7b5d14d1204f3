package dev.holdfast.systemtests.driver;

import com.google.protobuf.Any;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.rpc.ErrorInfo;
import com.google.rpc.RetryInfo;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.protobuf.StatusProto;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/**
 * How a stream ended.
 *
 * @param retryAfter from {@code google.rpc.RetryInfo}; empty if there was none
 * @param nanos when, on the monotonic clock of this JVM
 */
public record End(
    Status status, Optional<ErrorInfo> info, Optional<Duration> retryAfter, long nanos) {

  static End of(Status status, Metadata trailers, long nanos) {
    Optional<ErrorInfo> info = Optional.empty();
    Optional<Duration> retryAfter = Optional.empty();
    com.google.rpc.Status rich = StatusProto.fromStatusAndTrailers(status, trailers);
    for (Any detail : rich.getDetailsList()) {
      if (detail.is(ErrorInfo.class)) {
        info = Optional.of(unpack(detail, ErrorInfo.class));
      } else if (detail.is(RetryInfo.class)) {
        retryAfter = Optional.of(toJava(unpack(detail, RetryInfo.class).getRetryDelay()));
      }
    }
    return new End(status, info, retryAfter, nanos);
  }

  public Status.Code code() {
    return status.getCode();
  }

  /** Returns the reason of the error catalogue; empty if the status came without one. */
  public String reason() {
    return info.map(ErrorInfo::getReason).orElse("");
  }

  /** Returns the metadata of the {@code ErrorInfo}. */
  public Map<String, String> metadata() {
    return info.map(ErrorInfo::getMetadataMap).orElse(Map.of());
  }

  private static <T extends com.google.protobuf.Message> T unpack(Any detail, Class<T> type) {
    try {
      return detail.unpack(type);
    } catch (InvalidProtocolBufferException e) {
      throw new AssertionError("the gateway sent a detail that is no " + type.getName(), e);
    }
  }

  static Duration toJava(com.google.protobuf.Duration duration) {
    return Duration.ofSeconds(duration.getSeconds(), duration.getNanos());
  }
}
