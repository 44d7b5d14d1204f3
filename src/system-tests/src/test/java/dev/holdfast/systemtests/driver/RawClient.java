package dev.holdfast.systemtests.driver;

import dev.holdfast.protocol.gateway.v1.InitConnection;
import dev.holdfast.protocol.gateway.v1.Principal;
import io.grpc.ChannelCredentials;
import io.grpc.Grpc;
import io.grpc.InsecureChannelCredentials;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import java.util.concurrent.TimeUnit;

/** One HTTP/2 connection to a gateway, for any number of streams. Thread-safe. */
public final class RawClient implements AutoCloseable {
  private static final Metadata.Key<String> API_KEY =
      Metadata.Key.of("x-api-key", Metadata.ASCII_STRING_MARSHALLER);

  private final ManagedChannel channel;
  private final Metadata headers = new Metadata();

  private RawClient(ManagedChannel channel) {
    this.channel = channel;
  }

  /** Prepares a connection in plaintext. */
  public static RawClient plaintext(String target, String apiKey) {
    return withCredentials(target, apiKey, InsecureChannelCredentials.create());
  }

  /** Prepares a connection in plaintext that shows no API key. */
  public static RawClient withoutKey(String target) {
    return new RawClient(
        Grpc.newChannelBuilder(target, InsecureChannelCredentials.create()).build());
  }

  /** Prepares a connection over TLS, say. */
  public static RawClient withCredentials(
      String target, String apiKey, ChannelCredentials credentials) {
    RawClient client = new RawClient(Grpc.newChannelBuilder(target, credentials).build());
    client.headers.put(API_KEY, apiKey);
    return client;
  }

  /** Returns the channel, for other services of the gateway. */
  public ManagedChannel channel() {
    return channel;
  }

  /** Opens a stream and asks for an identity. */
  public RawConnection connect(Principal principal) {
    return connect(InitConnection.newBuilder().setPrincipal(principal).build());
  }

  /** Opens a stream and asks to take over a session. */
  public RawConnection resume(Principal principal, String sessionId) {
    return connect(
        InitConnection.newBuilder().setPrincipal(principal).setResumeSessionId(sessionId).build());
  }

  /** Opens a stream and sends {@code init}. */
  public RawConnection connect(InitConnection init) {
    return open().init(init);
  }

  /** Opens a stream and sends nothing. */
  public RawConnection open() {
    return RawConnection.open(channel, copyOfHeaders(), true);
  }

  /** Opens a stream from which nothing is read until the test asks for it. */
  public RawConnection openUnread() {
    return RawConnection.open(channel, copyOfHeaders(), false);
  }

  /** Breaks the connection, and with it every stream. */
  @Override
  public void close() {
    channel.shutdownNow();
    try {
      if (!channel.awaitTermination(10, TimeUnit.SECONDS)) {
        throw new IllegalStateException("the channel did not end within 10 s");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private Metadata copyOfHeaders() {
    Metadata copy = new Metadata(); // A call may change its headers.
    copy.merge(headers);
    return copy;
  }
}
