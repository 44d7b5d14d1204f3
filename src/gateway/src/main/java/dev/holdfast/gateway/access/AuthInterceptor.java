package dev.holdfast.gateway.access;

import dev.holdfast.gateway.error.GatewayError;
import dev.holdfast.gateway.error.GatewayException;
import dev.holdfast.gateway.error.GrpcErrors;
import dev.holdfast.gateway.telemetry.Meter;
import dev.holdfast.gateway.telemetry.Meters;
import io.grpc.Context;
import io.grpc.Contexts;
import io.grpc.Grpc;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.StatusRuntimeException;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Lets a call through only with a known API key in its metadata, and tells the endpoint whose it
 * is. Never blocks: a refusal that is to be late is sent by a timer.
 */
public final class AuthInterceptor implements ServerInterceptor {
  /** The metadata entry that holds the API key. */
  public static final Metadata.Key<String> API_KEY =
      Metadata.Key.of("x-api-key", Metadata.ASCII_STRING_MARSHALLER);

  private final ApiKeys keys;
  private final FailureThrottle throttle;
  private final ScheduledExecutorService timers;
  private final Meters.Counter missing;
  private final Meters.Counter invalid;
  private final Meters.Counter tooMany;

  public AuthInterceptor(
      ApiKeys keys, FailureThrottle throttle, ScheduledExecutorService timers, Meters meters) {
    this.keys = keys;
    this.throttle = throttle;
    this.timers = timers;
    this.missing = counter(meters, GatewayError.MISSING_API_KEY);
    this.invalid = counter(meters, GatewayError.INVALID_API_KEY);
    this.tooMany = counter(meters, GatewayError.TOO_MANY_FAILURES);
  }

  @Override
  public <Q, R> ServerCall.Listener<Q> interceptCall(
      ServerCall<Q, R> call, Metadata headers, ServerCallHandler<Q, R> next) {
    @Nullable SocketAddress peer = call.getAttributes().get(Grpc.TRANSPORT_ATTR_REMOTE_ADDR);
    @Nullable String presented = headers.get(API_KEY);
    Optional<ApiKey> key = presented == null ? Optional.empty() : keys.find(presented);
    if (key.isPresent()) {
      Caller caller = new Caller(key.get(), PeerAddress.shown(peer));
      Context context = Context.current().withValue(CallerContext.CALLER, caller);
      return Contexts.interceptCall(context, call, headers, next);
    }
    refuse(call, PeerAddress.grouped(peer), presented == null);
    return new ServerCall.Listener<>() {};
  }

  private void refuse(ServerCall<?, ?> call, String address, boolean noKey) {
    Optional<FailureThrottle.HeldAnswer> held = throttle.failed(address);
    if (held.isEmpty()) {
      tooMany.add(1);
      close(call, tooManyFailures(), address);
      return;
    }
    (noKey ? missing : invalid).add(1);
    GatewayException answer = noKey ? missingKey() : invalidKey();
    Runnable sendAnswer =
        () -> {
          held.get().given().run();
          close(call, answer, address);
        };
    sendLater(sendAnswer, held.get().delay());
  }

  private void sendLater(Runnable answer, Duration delay) {
    try {
      ScheduledFuture<?> unused = timers.schedule(answer, delay.toMillis(), TimeUnit.MILLISECONDS);
    } catch (RejectedExecutionException e) { // The gateway is stopping.
      answer.run();
    }
  }

  private static void close(ServerCall<?, ?> call, GatewayException answer, String address) {
    AccessLog.refused(address, answer.error().name());
    StatusRuntimeException status = GrpcErrors.toStatus(answer);
    call.close(status.getStatus(), GrpcErrors.trailersOf(status));
  }

  private static GatewayException missingKey() {
    return new GatewayException(
        GatewayError.MISSING_API_KEY, "The call has no metadata entry 'x-api-key'; add one.");
  }

  private static GatewayException invalidKey() {
    return new GatewayException(
        GatewayError.INVALID_API_KEY,
        "This gateway does not know the API key; ask its operator for one.");
  }

  private static GatewayException tooManyFailures() {
    return new GatewayException(
        GatewayError.TOO_MANY_FAILURES,
        "%d failed authentications from this address wait for their answer; try again later."
            .formatted(FailureThrottle.MAX_PENDING),
        FailureThrottle.MAX_DELAY);
  }

  private static Meters.Counter counter(Meters meters, GatewayError reason) {
    return meters.counter(Meter.AUTH_FAILURES, reason.name());
  }
}
