package dev.holdfast.gateway.error;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.rpc.ErrorInfo;
import com.google.rpc.RetryInfo;
import com.google.rpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.protobuf.StatusProto;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

final class GrpcErrorsTest {
  @Test
  void toStatus_withRetry_carriesReasonMetadataAndDelay() throws Exception {
    GatewayException error =
        new GatewayException(
            GatewayError.DUPLICATE_IDENTITY,
            "agent/a/b/c is held.",
            Map.of("identity", "agent/a/b/c"),
            Duration.ofMillis(12_500));

    StatusRuntimeException status = GrpcErrors.toStatus(error);

    Status details = StatusProto.fromStatusAndTrailers(status.getStatus(), status.getTrailers());
    assertThat(details).isNotNull();
    assertThat(details.getMessage()).isEqualTo("agent/a/b/c is held.");
    ErrorInfo info = details.getDetails(0).unpack(ErrorInfo.class);
    assertThat(info.getReason()).isEqualTo("DUPLICATE_IDENTITY");
    assertThat(info.getDomain()).isEqualTo("holdfast.dev");
    assertThat(info.getMetadataMap()).containsExactly(Map.entry("identity", "agent/a/b/c"));
    RetryInfo retry = details.getDetails(1).unpack(RetryInfo.class);
    assertThat(retry.getRetryDelay().getSeconds()).isEqualTo(12);
    assertThat(retry.getRetryDelay().getNanos()).isEqualTo(500_000_000);
  }

  @Test
  void toStatus_withoutRetry_hasNoRetryInfo() {
    StatusRuntimeException status =
        GrpcErrors.toStatus(new GatewayException(GatewayError.LOCK_LOST, "lost"));

    Status details = StatusProto.fromStatusAndTrailers(status.getStatus(), status.getTrailers());
    assertThat(details).isNotNull();
    assertThat(details.getDetailsCount()).isEqualTo(1);
  }

  @ParameterizedTest
  @EnumSource(GatewayError.class)
  void toStatus_everyError_hasItsOwnGrpcCode(GatewayError error) {
    StatusRuntimeException status = GrpcErrors.toStatus(new GatewayException(error, "x"));

    assertThat(status.getStatus().getCode().name()).isEqualTo(error.rpcCode().name());
    assertThat(GrpcErrors.trailersOf(status).keys()).contains("grpc-status-details-bin");
  }
}
