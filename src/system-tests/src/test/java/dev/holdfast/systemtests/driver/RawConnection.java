package dev.holdfast.systemtests.driver;

import com.google.protobuf.ByteString;
import dev.holdfast.protocol.gateway.v1.ConnectRequest;
import dev.holdfast.protocol.gateway.v1.ConnectResponse;
import dev.holdfast.protocol.gateway.v1.ConnectionAck;
import dev.holdfast.protocol.gateway.v1.ConnectionServiceGrpc;
import dev.holdfast.protocol.gateway.v1.GoingAway;
import dev.holdfast.protocol.gateway.v1.GrantCredit;
import dev.holdfast.protocol.gateway.v1.InitConnection;
import dev.holdfast.protocol.gateway.v1.LeaseState;
import dev.holdfast.protocol.gateway.v1.LeaseStateChanged;
import dev.holdfast.protocol.gateway.v1.Message;
import dev.holdfast.protocol.gateway.v1.Receipt;
import dev.holdfast.protocol.gateway.v1.SendMessage;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * One Connect stream, with every frame that came and how it ended.
 *
 * <p>Thread-safe. What is awaited in vain is an {@link AssertionError} that tells what came
 * instead.
 */
public final class RawConnection {
  /** Long enough for a busy machine; a test of a duration measures it by {@link End#nanos}. */
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private static final MethodDescriptor<byte[], ConnectResponse> CONNECT =
      ConnectionServiceGrpc.getConnectMethod().toBuilder(
              new BytesMarshaller(),
              ConnectionServiceGrpc.getConnectMethod().getResponseMarshaller())
          .build();

  private final ClientCall<byte[], ConnectResponse> call;
  private final Transcript transcript = new Transcript();

  private RawConnection(Channel channel) {
    this.call = channel.newCall(CONNECT, CallOptions.DEFAULT);
  }

  /**
   * Opens a stream.
   *
   * @param reading whether every frame is taken as it comes; if not, {@link #read} takes them
   */
  static RawConnection open(Channel channel, Metadata headers, boolean reading) {
    RawConnection connection = new RawConnection(channel);
    connection.call.start(connection.new Listener(reading), headers);
    if (reading) {
      connection.read(1);
    }
    return connection;
  }

  /** Sends {@code init}. */
  public RawConnection init(InitConnection init) {
    return send(ConnectRequest.newBuilder().setInit(init).build());
  }

  /** Sends a message whose payload is a text. */
  public RawConnection message(String correlationId, String to, String text) {
    return message(correlationId, to, ByteString.copyFromUtf8(text));
  }

  /** Sends a message. */
  public RawConnection message(String correlationId, String to, ByteString payload) {
    SendMessage.Builder message =
        SendMessage.newBuilder()
            .setCorrelationId(correlationId)
            .setTo(to)
            .setPayload(payload)
            .setContentType("text/plain");
    return send(ConnectRequest.newBuilder().setSend(message).build());
  }

  /** Makes room for {@code messages} more messages. */
  public RawConnection grant(int messages) {
    GrantCredit.Builder grant = GrantCredit.newBuilder().setMessages(messages);
    return send(ConnectRequest.newBuilder().setGrant(grant).build());
  }

  /** Sends any frame. */
  public RawConnection send(ConnectRequest frame) {
    return bytes(frame.toByteArray());
  }

  /** Sends any bytes as one frame. */
  public synchronized RawConnection bytes(byte[] frame) {
    call.sendMessage(frame);
    return this;
  }

  /** Takes further frames, on a connection that does not take them by itself. */
  public void read(int frames) {
    call.request(frames);
  }

  /** Ends the client's half of the stream in good order. */
  public synchronized void halfClose() {
    call.halfClose();
  }

  /** Resets the stream. */
  public void cancel() {
    call.cancel("the test cancels", null);
  }

  /** Waits for the ack, which must be the first frame. */
  public ConnectionAck ack() {
    ConnectResponse first = transcript.awaitFrame("first frame", PATIENCE, Optional::of);
    if (!first.hasAck()) {
      throw new AssertionError("the first frame is no ack: " + transcript);
    }
    return first.getAck();
  }

  /** Waits until the identity is held, and returns this connection. */
  public RawConnection held() {
    ack();
    return this;
  }

  /** Waits for the answer to {@code init}, and says whether it is the ack. */
  public boolean isHeld() {
    return transcript.awaitAny(PATIENCE) && !transcript.frames().isEmpty();
  }

  /** Waits for the receipt of a message. */
  public Receipt receipt(String correlationId) {
    return await(
        "receipt of " + correlationId,
        ConnectResponse::hasReceipt,
        ConnectResponse::getReceipt,
        receipt -> receipt.getCorrelationId().equals(correlationId));
  }

  /** Waits for a message of another identity. */
  public Message received(String correlationId) {
    return await(
        "message " + correlationId,
        ConnectResponse::hasMessage,
        ConnectResponse::getMessage,
        message -> message.getCorrelationId().equals(correlationId));
  }

  /** Waits for a change of the lease. */
  public LeaseStateChanged lease(LeaseState state) {
    return await(
        "lease " + state,
        ConnectResponse::hasLease,
        ConnectResponse::getLease,
        lease -> lease.getState() == state);
  }

  /** Waits for the announcement that the gateway will end the stream. */
  public GoingAway goingAway() {
    return await(
        "announcement that the gateway stops",
        ConnectResponse::hasGoingAway,
        ConnectResponse::getGoingAway,
        any -> true);
  }

  /** Waits for the end of the stream. */
  public End end() {
    return transcript.awaitEnd(PATIENCE);
  }

  /** Waits for the end of the stream, for a day. */
  End endWhenever() {
    return transcript.awaitEnd(Duration.ofDays(1));
  }

  /** Says whether the stream has not ended. */
  public boolean isOpen() {
    return transcript.end().isEmpty();
  }

  /** Returns every frame so far. */
  public List<ConnectResponse> frames() {
    return transcript.frames();
  }

  /** Returns every message so far. */
  public List<Message> messages() {
    return frames().stream()
        .filter(ConnectResponse::hasMessage)
        .map(ConnectResponse::getMessage)
        .toList();
  }

  @Override
  public String toString() {
    return transcript.toString();
  }

  private <T> T await(
      String what,
      Predicate<ConnectResponse> kind,
      Function<ConnectResponse, T> content,
      Predicate<T> wanted) {
    return transcript.awaitFrame(
        what,
        PATIENCE,
        frame ->
            kind.test(frame) ? Optional.of(content.apply(frame)).filter(wanted) : Optional.empty());
  }

  private final class Listener extends ClientCall.Listener<ConnectResponse> {
    private final boolean reading;

    Listener(boolean reading) {
      this.reading = reading;
    }

    @Override
    public void onMessage(ConnectResponse frame) {
      transcript.add(frame);
      if (reading) {
        call.request(1);
      }
    }

    @Override
    public void onClose(Status status, Metadata trailers) {
      transcript.finish(End.of(status, trailers, System.nanoTime()));
    }
  }
}
