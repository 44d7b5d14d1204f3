package dev.holdfast.gateway.connection;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.UnsafeByteOperations;
import dev.holdfast.protocol.gateway.v1.ConnectRequest;
import io.grpc.KnownLength;
import io.grpc.MethodDescriptor;
import java.io.ByteArrayInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;

/**
 * Reads what clients send. Bytes that are no frame, and frames that are too large, become values
 * rather than exceptions, so that the client can be told which it was; no more than the limit is
 * ever read. Thread-safe.
 */
final class FrameMarshaller implements MethodDescriptor.Marshaller<InboundFrame> {
  private static final int UNKNOWN = -1;

  private final int limitBytes;

  FrameMarshaller(int limitBytes) {
    this.limitBytes = limitBytes;
  }

  @Override
  public InboundFrame parse(InputStream stream) {
    try {
      int known = stream instanceof KnownLength ? stream.available() : UNKNOWN;
      if (known > limitBytes) {
        return new InboundFrame.TooLarge(limitBytes);
      }
      byte[] bytes = known == UNKNOWN ? stream.readNBytes(limitBytes + 1) : read(stream, known);
      return bytes.length > limitBytes ? new InboundFrame.TooLarge(limitBytes) : parse(bytes);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static byte[] read(InputStream stream, int size) throws IOException {
    byte[] bytes = new byte[size];
    if (stream.readNBytes(bytes, 0, size) < size) {
      throw new EOFException("a frame of " + size + " bytes ended early");
    }
    return bytes;
  }

  /** Lets payloads share {@code bytes}, which nobody else has. */
  private static InboundFrame parse(byte[] bytes) {
    try {
      CodedInputStream input = UnsafeByteOperations.unsafeWrap(bytes).newCodedInput();
      input.enableAliasing(true);
      ConnectRequest request = ConnectRequest.parseFrom(input);
      input.checkLastTagWas(0);
      return new InboundFrame.Parsed(request);
    } catch (InvalidProtocolBufferException e) {
      return new InboundFrame.Malformed("its bytes are no ConnectRequest");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Writes a frame as a client would; gateways never do. */
  @Override
  public InputStream stream(InboundFrame frame) {
    if (frame instanceof InboundFrame.Parsed parsed) {
      return new ByteArrayInputStream(parsed.request().toByteArray());
    }
    throw new IllegalArgumentException("not a frame: " + frame);
  }
}
