package dev.holdfast.bench;

import io.grpc.BindableService;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.ServerCall;
import io.grpc.ServerServiceDefinition;
import io.grpc.Status;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/**
 * A bidirectional call that reports how the server learns of its end.
 *
 * <p>It uses nothing but {@code io.grpc}, the one gRPC package that Open Liberty's {@code grpc-1.0}
 * shows to applications, so that the same class runs there and on grpc-java's Netty transport. The
 * reported events are those of {@link ServerCall.Listener}, on which {@code
 * ServerCallStreamObserver.setOnCancelHandler} rests. Thread-safe.
 */
public final class ProbeService implements BindableService {
  static final MethodDescriptor<byte[], byte[]> WATCH =
      MethodDescriptor.newBuilder(new Bytes(), new Bytes())
          .setType(MethodDescriptor.MethodType.BIDI_STREAMING)
          .setFullMethodName("holdfast.bench.Probe/Watch")
          .build();

  private final Reporter reporter;

  /** Called by Liberty. */
  public ProbeService() {
    this(Reporter.connect());
  }

  ProbeService(Reporter reporter) {
    this.reporter = reporter;
  }

  @Override
  public ServerServiceDefinition bindService() {
    return ServerServiceDefinition.builder("holdfast.bench.Probe")
        .addMethod(WATCH, (call, headers) -> watch(call))
        .build();
  }

  private ServerCall.Listener<byte[]> watch(ServerCall<byte[], byte[]> call) {
    call.sendHeaders(new Metadata());
    call.request(1);
    return new Watch(call, reporter);
  }

  /** One call: the first message names it and is sent back. */
  private static final class Watch extends ServerCall.Listener<byte[]> {
    private final ServerCall<byte[], byte[]> call;
    private final Reporter reporter;
    private String id = "unnamed";

    Watch(ServerCall<byte[], byte[]> call, Reporter reporter) {
      this.call = call;
      this.reporter = reporter;
    }

    @Override
    public void onMessage(byte[] message) {
      id = new String(message, StandardCharsets.UTF_8);
      reporter.report("opened", id);
      call.sendMessage(message);
      call.request(1);
    }

    @Override
    public void onHalfClose() {
      reporter.report("half-closed", id);
      call.close(Status.OK, new Metadata());
    }

    @Override
    public void onCancel() {
      reporter.report("cancelled", id);
    }
  }

  /** Messages are bytes. */
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
}
