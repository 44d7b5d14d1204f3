package dev.holdfast.gateway.error;

import com.google.protobuf.Any;
import com.google.rpc.ErrorInfo;
import com.google.rpc.RetryInfo;
import com.google.rpc.Status;
import io.grpc.Metadata;
import io.grpc.StatusRuntimeException;
import io.grpc.protobuf.StatusProto;
import java.time.Duration;

/** Turns errors of the catalogue into what gRPC clients see. */
public final class GrpcErrors {
  private GrpcErrors() {}

  /**
   * Writes an error as a gRPC status whose trailers hold a {@code google.rpc.ErrorInfo} and, if
   * waiting helps, a {@code google.rpc.RetryInfo}.
   */
  public static StatusRuntimeException toStatus(GatewayException e) {
    Status.Builder status =
        Status.newBuilder()
            .setCode(e.error().rpcCode().number())
            .setMessage(e.getMessage())
            .addDetails(
                Any.pack(
                    ErrorInfo.newBuilder()
                        .setReason(e.error().name())
                        .setDomain(GatewayError.DOMAIN)
                        .putAllMetadata(e.metadata())
                        .build()));
    e.retryAfter()
        .ifPresent(
            delay ->
                status.addDetails(
                    Any.pack(RetryInfo.newBuilder().setRetryDelay(toProto(delay)).build())));
    return StatusProto.toStatusRuntimeException(status.build());
  }

  /** Returns the trailers that {@link #toStatus} puts beside the status; never null. */
  public static Metadata trailersOf(StatusRuntimeException status) {
    Metadata trailers = status.getTrailers();
    return trailers == null ? new Metadata() : trailers;
  }

  private static com.google.protobuf.Duration toProto(Duration duration) {
    return com.google.protobuf.Duration.newBuilder()
        .setSeconds(duration.getSeconds())
        .setNanos(duration.getNano())
        .build();
  }
}
