package dev.holdfast.gateway.message;

import com.google.protobuf.Timestamp;
import dev.holdfast.protocol.gateway.v1.Accepted;
import dev.holdfast.protocol.gateway.v1.ConnectResponse;
import dev.holdfast.protocol.gateway.v1.GoingAway;
import dev.holdfast.protocol.gateway.v1.LeaseState;
import dev.holdfast.protocol.gateway.v1.LeaseStateChanged;
import dev.holdfast.protocol.gateway.v1.Message;
import dev.holdfast.protocol.gateway.v1.Receipt;
import dev.holdfast.protocol.gateway.v1.Rejected;
import dev.holdfast.protocol.gateway.v1.SendMessage;
import dev.holdfast.protocol.peer.v1.Deliver;
import java.time.Duration;
import java.time.Instant;

/** Makes the frames that a gateway sends to clients. */
public final class Frames {
  private Frames() {}

  /** Makes what a receiver of this gateway gets from a sender of this gateway. */
  static ConnectResponse message(String from, long token, SendMessage sent) {
    return ConnectResponse.newBuilder()
        .setMessage(
            Message.newBuilder()
                .setCorrelationId(sent.getCorrelationId())
                .setFrom(from)
                .setSenderFencingToken(token)
                .setPayload(sent.getPayload())
                .setContentType(sent.getContentType()))
        .build();
  }

  /** Makes what a receiver of this gateway gets from a sender of another gateway. */
  public static ConnectResponse message(Deliver deliver) {
    return ConnectResponse.newBuilder()
        .setMessage(
            Message.newBuilder()
                .setCorrelationId(deliver.getCorrelationId())
                .setFrom(deliver.getFrom())
                .setSenderFencingToken(deliver.getSenderFencingToken())
                .setPayload(deliver.getPayload())
                .setContentType(deliver.getContentType()))
        .build();
  }

  static ConnectResponse accepted(String correlationId) {
    return ConnectResponse.newBuilder()
        .setReceipt(
            Receipt.newBuilder()
                .setCorrelationId(correlationId)
                .setAccepted(Accepted.getDefaultInstance()))
        .build();
  }

  static ConnectResponse rejected(String correlationId, Rejection rejection) {
    Rejected.Builder rejected =
        Rejected.newBuilder().setReason(rejection.error().name()).setMessage(rejection.message());
    rejection.retryAfter().ifPresent(delay -> rejected.setRetryAfter(toProto(delay)));
    return ConnectResponse.newBuilder()
        .setReceipt(Receipt.newBuilder().setCorrelationId(correlationId).setRejected(rejected))
        .build();
  }

  /** Tells the state of the lease. */
  public static ConnectResponse lease(LeaseState state, Duration remaining, String cause) {
    return ConnectResponse.newBuilder()
        .setLease(
            LeaseStateChanged.newBuilder()
                .setState(state)
                .setRemaining(toProto(remaining))
                .setCause(cause))
        .build();
  }

  /** Tells that the stream ends soon. */
  public static ConnectResponse goingAway(String reason, Duration retryAfter, Instant endsAt) {
    return ConnectResponse.newBuilder()
        .setGoingAway(
            GoingAway.newBuilder()
                .setReason(reason)
                .setRetryAfter(toProto(retryAfter))
                .setEndsAt(
                    Timestamp.newBuilder()
                        .setSeconds(endsAt.getEpochSecond())
                        .setNanos(endsAt.getNano())))
        .build();
  }

  /** Writes a duration as protobuf does. */
  public static com.google.protobuf.Duration toProto(Duration duration) {
    return com.google.protobuf.Duration.newBuilder()
        .setSeconds(duration.getSeconds())
        .setNanos(duration.getNano())
        .build();
  }
}
