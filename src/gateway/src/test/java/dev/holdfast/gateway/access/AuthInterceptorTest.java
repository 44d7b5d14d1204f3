package dev.holdfast.gateway.access;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.rpc.ErrorInfo;
import com.google.rpc.RetryInfo;
import dev.holdfast.gateway.telemetry.Meter;
import dev.holdfast.gateway.testing.FakeClock;
import dev.holdfast.gateway.testing.RecordingMeters;
import dev.holdfast.protocol.gateway.v1.ConnectRequest;
import dev.holdfast.protocol.gateway.v1.ConnectResponse;
import dev.holdfast.protocol.gateway.v1.ConnectionServiceGrpc;
import io.grpc.Attributes;
import io.grpc.Grpc;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.ServerCall;
import io.grpc.Status;
import io.grpc.protobuf.StatusProto;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

final class AuthInterceptorTest {
  private final FakeClock clock = new FakeClock();
  private final RecordingMeters meters = new RecordingMeters();
  private final AuthInterceptor interceptor =
      new AuthInterceptor(
          ApiKeys.trial("right"), new FailureThrottle(clock.ticker()), clock, meters);
  private final List<Caller> admitted = new ArrayList<>();

  @Test
  void knownKey_reachesTheEndpointAtOnceWithItsCaller() {
    Call call = call("right");

    assertThat(call.closed).isNull();
    assertThat(admitted).singleElement().extracting(c -> c.key().id()).isEqualTo("trial");
    assertThat(admitted).singleElement().extracting(Caller::peer).isEqualTo("127.0.0.1:4711");
  }

  @Test
  void noKey_isRefusedAfterTheDelay() throws Exception {
    Call call = call(null);

    assertThat(call.closed).isNull();
    clock.advance(Duration.ofMillis(100));

    assertThat(call.code()).isEqualTo(Status.Code.UNAUTHENTICATED);
    assertThat(call.reason()).isEqualTo("MISSING_API_KEY");
    assertThat(meters.total(Meter.AUTH_FAILURES, "MISSING_API_KEY")).isEqualTo(1);
    assertThat(admitted).isEmpty();
  }

  @Test
  void unknownKey_isRefusedLaterEachTimeAndNeverQuoted() throws Exception {
    Call first = call("wrong-key");
    Call second = call("wrong-key");

    clock.advance(Duration.ofMillis(100));
    assertThat(first.reason()).isEqualTo("INVALID_API_KEY");
    assertThat(String.valueOf(first.closed)).doesNotContain("wrong-key");
    assertThat(second.closed).isNull();
    clock.advance(Duration.ofMillis(100));

    assertThat(second.reason()).isEqualTo("INVALID_API_KEY");
    assertThat(meters.total(Meter.AUTH_FAILURES, "INVALID_API_KEY")).isEqualTo(2);
  }

  @Test
  void seventeenthPendingRefusal_isSentAtOnceWithATimeToComeBack() throws Exception {
    for (int i = 0; i < 16; i++) {
      assertThat(call("wrong").closed).isNull();
    }

    Call call = call("wrong");

    assertThat(call.code()).isEqualTo(Status.Code.RESOURCE_EXHAUSTED);
    assertThat(call.reason()).isEqualTo("TOO_MANY_FAILURES");
    RetryInfo retry = call.details().getDetails(1).unpack(RetryInfo.class);
    assertThat(retry.getRetryDelay().getSeconds()).isEqualTo(5);
    assertThat(meters.total(Meter.AUTH_FAILURES, "TOO_MANY_FAILURES")).isEqualTo(1);
  }

  @Test
  void knownKey_isNeverDelayedByFailuresFromTheSameAddress() {
    for (int i = 0; i < 17; i++) {
      call("wrong");
    }

    call("right");

    assertThat(admitted).hasSize(1);
  }

  @Test
  void heldAnswers_areFreedWhenGiven() {
    for (int i = 0; i < 16; i++) {
      call("wrong");
    }
    clock.advance(Duration.ofSeconds(5));

    assertThat(call("wrong").closed).isNull();
    assertThat(clock.pendingTasks()).isEqualTo(1);
  }

  private Call call(@Nullable String key) {
    Metadata headers = new Metadata();
    if (key != null) {
      headers.put(AuthInterceptor.API_KEY, key);
    }
    Call call = new Call();
    ServerCall.Listener<ConnectRequest> unused =
        interceptor.interceptCall(
            call,
            headers,
            (c, h) -> {
              admitted.add(CallerContext.CALLER.get());
              return new ServerCall.Listener<>() {};
            });
    return call;
  }

  private static final class Call extends ServerCall<ConnectRequest, ConnectResponse> {
    private @Nullable Status closed;
    private Metadata trailers = new Metadata();

    Status.Code code() {
      return closed == null ? Status.Code.OK : closed.getCode();
    }

    com.google.rpc.Status details() {
      Status status = closed == null ? Status.OK : closed;
      com.google.rpc.Status details = StatusProto.fromStatusAndTrailers(status, trailers);
      return details == null ? com.google.rpc.Status.getDefaultInstance() : details;
    }

    String reason() throws Exception {
      return details().getDetails(0).unpack(ErrorInfo.class).getReason();
    }

    @Override
    public void close(Status status, Metadata metadata) {
      closed = status;
      trailers = metadata;
    }

    @Override
    public Attributes getAttributes() {
      return Attributes.newBuilder()
          .set(
              Grpc.TRANSPORT_ATTR_REMOTE_ADDR,
              new InetSocketAddress(InetAddress.getLoopbackAddress(), 4711))
          .build();
    }

    @Override
    public MethodDescriptor<ConnectRequest, ConnectResponse> getMethodDescriptor() {
      return ConnectionServiceGrpc.getConnectMethod();
    }

    @Override
    public void request(int messages) {}

    @Override
    public void sendHeaders(Metadata headers) {}

    @Override
    public void sendMessage(ConnectResponse message) {}

    @Override
    public boolean isCancelled() {
      return false;
    }
  }
}
