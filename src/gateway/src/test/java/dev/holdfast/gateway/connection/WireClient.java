package dev.holdfast.gateway.connection;

import com.google.protobuf.Any;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.rpc.ErrorInfo;
import com.google.rpc.RetryInfo;
import dev.holdfast.protocol.gateway.v1.ConnectRequest;
import dev.holdfast.protocol.gateway.v1.ConnectResponse;
import dev.holdfast.protocol.gateway.v1.ConnectionServiceGrpc;
import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.protobuf.StatusProto;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** One stream of a client that sends any bytes and reads only when told to. */
final class WireClient {
  private static final int WAIT_SECONDS = 20;

  /** How the stream ended. */
  record End(Status status, Metadata trailers) {
    ErrorInfo errorInfo() throws InvalidProtocolBufferException {
      return detail(ErrorInfo.class);
    }

    RetryInfo retryInfo() throws InvalidProtocolBufferException {
      return detail(RetryInfo.class);
    }

    private <T extends com.google.protobuf.Message> T detail(Class<T> type)
        throws InvalidProtocolBufferException {
      com.google.rpc.Status details = StatusProto.fromStatusAndTrailers(status, trailers);
      if (details != null) {
        for (Any any : details.getDetailsList()) {
          if (any.is(type)) {
            return any.unpack(type);
          }
        }
      }
      throw new AssertionError("no " + type.getSimpleName() + " in " + status);
    }
  }

  private static final class Bytes implements MethodDescriptor.Marshaller<byte[]> {
    @Override
    public InputStream stream(byte[] value) {
      return new ByteArrayInputStream(value);
    }

    @Override
    public byte[] parse(InputStream stream) {
      try {
        return stream.readAllBytes();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  private final BlockingQueue<ConnectResponse> frames = new LinkedBlockingQueue<>();
  private final BlockingQueue<End> ends = new LinkedBlockingQueue<>();
  private final ClientCall<byte[], ConnectResponse> call;

  private WireClient(ManagedChannel channel, @Nullable String compressor) {
    MethodDescriptor<byte[], ConnectResponse> method =
        ConnectionServiceGrpc.getConnectMethod().toBuilder(
                new Bytes(), ConnectionServiceGrpc.getConnectMethod().getResponseMarshaller())
            .build();
    CallOptions options = CallOptions.DEFAULT;
    call =
        channel.newCall(method, compressor == null ? options : options.withCompression(compressor));
    call.start(
        new ClientCall.Listener<>() {
          @Override
          public void onMessage(ConnectResponse frame) {
            frames.add(frame);
          }

          @Override
          public void onClose(Status status, Metadata trailers) {
            ends.add(new End(status, trailers));
          }
        },
        new Metadata());
  }

  static ManagedChannel channel(int port) {
    return NettyChannelBuilder.forAddress(
            new InetSocketAddress(InetAddress.getLoopbackAddress(), port))
        .usePlaintext()
        .flowControlWindow(65_535)
        .build();
  }

  static WireClient open(ManagedChannel channel) {
    return new WireClient(channel, null);
  }

  static WireClient openCompressed(ManagedChannel channel) {
    return new WireClient(channel, "gzip");
  }

  /** Opens a stream and holds an agent's identity. */
  static WireClient hold(ManagedChannel channel, String specifier) throws InterruptedException {
    WireClient client = open(channel);
    client.init(specifier);
    client.read(1);
    ConnectResponse first = client.next();
    if (!first.hasAck()) {
      throw new AssertionError("not an ack: " + first);
    }
    return client;
  }

  void init(String specifier) {
    send(ConnectRequest.newBuilder().setInit(Gateway.agent(specifier)).build());
  }

  void send(ConnectRequest frame) {
    call.sendMessage(frame.toByteArray());
  }

  void sendBytes(byte[] bytes) {
    call.sendMessage(bytes);
  }

  /** Reads up to that many frames more. */
  void read(int frames) {
    call.request(frames);
  }

  void halfClose() {
    call.halfClose();
  }

  void cancel() {
    call.cancel("test", null);
  }

  ConnectResponse next() throws InterruptedException {
    ConnectResponse frame = frames.poll(WAIT_SECONDS, TimeUnit.SECONDS);
    if (frame == null) {
      throw new AssertionError("no frame came; the stream ended with " + ends.peek());
    }
    return frame;
  }

  End end() throws InterruptedException {
    End end = ends.poll(WAIT_SECONDS, TimeUnit.SECONDS);
    if (end == null) {
      throw new AssertionError("the stream did not end");
    }
    return end;
  }
}
