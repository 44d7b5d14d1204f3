package dev.holdfast.client;

import dev.holdfast.protocol.gateway.v1.ConnectRequest;
import dev.holdfast.protocol.gateway.v1.ConnectResponse;
import dev.holdfast.protocol.gateway.v1.ConnectionServiceGrpc;
import dev.holdfast.protocol.gateway.v1.ConnectionServiceGrpc.ConnectionServiceStub;
import io.grpc.ChannelCredentials;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.stub.MetadataUtils;
import io.grpc.stub.StreamObserver;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;

/**
 * Holds identities on a Holdfast gateway, any number over one HTTP/2 connection.
 *
 * <p>Thread-safe. Close it to release every identity that it holds.
 *
 * <pre>{@code
 * try (HoldfastClient client =
 *     HoldfastClient.builder().target("gateway.example.org:7443").apiKey(key).build()) {
 *   Connection agent =
 *       client
 *           .connect(new Principal.Agent("acme", "builder", "7"), ConnectOptions.DEFAULT)
 *           .toCompletableFuture()
 *           .join();
 * }
 * }</pre>
 */
public final class HoldfastClient implements AutoCloseable {
  private static final Metadata.Key<String> API_KEY =
      Metadata.Key.of("x-api-key", Metadata.ASCII_STRING_MARSHALLER);

  private final ManagedChannel channel;
  private final ConnectionServiceStub stub;
  private final ClientRuntime runtime;
  private final Runnable afterClose;
  private final Set<Hold> holds = ConcurrentHashMap.newKeySet();
  private volatile boolean closed;

  /** A client on a channel that it will shut down. */
  HoldfastClient(
      ManagedChannel channel, String apiKey, ClientRuntime runtime, Runnable afterClose) {
    this.channel = channel;
    this.stub =
        ConnectionServiceGrpc.newStub(channel)
            .withInterceptors(MetadataUtils.newAttachHeadersInterceptor(headers(apiKey)));
    this.runtime = runtime;
    this.afterClose = afterClose;
  }

  /** A builder without a target and an API key; both must be set. */
  public static Builder builder() {
    return new Builder();
  }

  /**
   * Acquires an identity.
   *
   * @return completes when the identity is held. Fails with a {@link HoldfastException}, of the
   *     subclass that says what was wrong, if the gateway refuses or can't be reached. What follows
   *     runs on a thread of the client's executor
   * @throws IllegalStateException if this client is closed
   */
  public CompletionStage<Connection> connect(Principal principal, ConnectOptions options) {
    Objects.requireNonNull(principal, "principal");
    Objects.requireNonNull(options, "options");
    Hold hold = new Hold(principal, options, runtime, this::call, holds::remove);
    holds.add(hold);
    if (closed) {
      hold.close();
      throw new IllegalStateException("the client is closed");
    }
    hold.start();
    return hold.acquired().minimalCompletionStage();
  }

  /**
   * Closes every connection, waits until the gateway has released their identities, for at most 5
   * s, and closes the transport. An interrupt ends the wait and stays set.
   */
  @Override
  public void close() {
    closed = true;
    List<Hold> open = List.copyOf(holds);
    open.forEach(Hold::close);
    open.forEach(hold -> hold.connection().close());
    channel.shutdownNow();
    afterClose.run();
  }

  private StreamObserver<ConnectRequest> call(StreamObserver<ConnectResponse> responses) {
    // The SDK's own back-off says when to try: gRPC's would add to it.
    channel.resetConnectBackoff();
    return stub.connect(responses);
  }

  private static Metadata headers(String apiKey) {
    Metadata headers = new Metadata();
    headers.put(API_KEY, apiKey);
    return headers;
  }

  /** Builds a {@link HoldfastClient}. Not thread-safe. */
  public static final class Builder {
    private static final int MAX_KEY_BYTES = 1_000;

    private Optional<String> target = Optional.empty();
    private Optional<String> apiKey = Optional.empty();
    private Optional<Executor> executor = Optional.empty();
    private final Credentials credentials = new Credentials();
    private Backoff backoff = Backoff.DEFAULT;
    private Duration keepAliveTime = Duration.ofSeconds(15);
    private Duration keepAliveTimeout = Duration.ofSeconds(5);
    private int maxInboundMessageBytes = 8 * 1024 * 1024;

    private Builder() {}

    /**
     * Where the gateways are: {@code host:port}, or a gRPC name such as {@code
     * dns:///gateways.example.org:7443}, whose addresses are tried in turn.
     */
    public Builder target(String value) {
      target = Optional.of(Check.text("target", value, 10_000));
      return this;
    }

    /** The API key; printable ASCII. It is never logged. */
    public Builder apiKey(String value) {
      Objects.requireNonNull(value, "apiKey");
      boolean printable = value.chars().allMatch(c -> c > ' ' && c < 0x7f);
      if (value.isEmpty() || value.length() > MAX_KEY_BYTES || !printable) {
        throw new IllegalArgumentException(
            "apiKey must be 1 to 1000 characters of printable ASCII without spaces");
      }
      apiKey = Optional.of(value);
      return this;
    }

    /** Uses these transport credentials instead of TLS with the JDK's trusted authorities. */
    public Builder credentials(ChannelCredentials value) {
      credentials.use(Objects.requireNonNull(value, "credentials"));
      return this;
    }

    /** Trusts the authorities in this PEM file instead of the JDK's. */
    public Builder trustCertificates(Path pem) {
      credentials.trust(Objects.requireNonNull(pem, "pem"));
      return this;
    }

    /** Proves this client by a certificate (mutual TLS): PEM files, the key unencrypted PKCS 8. */
    public Builder clientCertificate(Path certificatesPem, Path keyPem) {
      credentials.identify(
          Objects.requireNonNull(certificatesPem, "certificatesPem"),
          Objects.requireNonNull(keyPem, "keyPem"));
      return this;
    }

    /** No TLS: everybody on the way can read the API key and every message. */
    public Builder plaintext() {
      credentials.usePlaintext();
      return this;
    }

    /** How retries wait; {@link Backoff#DEFAULT} if not set. */
    public Builder backoff(Backoff value) {
      backoff = Objects.requireNonNull(value, "backoff");
      return this;
    }

    /**
     * How a dead transport is found: after {@code time} without a byte from the gateway it is asked
     * for one, and given up after {@code timeout} more. 15 s and 5 s if not set; {@code time} 10 s
     * to 1 h, {@code timeout} 100 ms to 10 min.
     *
     * <p>Until then a silent cut goes unnoticed, and the state stays HELD; keep the sum well below
     * the gateway's lock TTL. A gateway pings silent clients too, by default every 10 s, so a
     * client with a longer {@code time} asks only when something is wrong. A gateway refuses
     * clients that ask more often than it permits.
     */
    public Builder keepAlive(Duration time, Duration timeout) {
      keepAliveTime = Check.inRange("time", time, Duration.ofSeconds(10), Duration.ofHours(1));
      keepAliveTimeout =
          Check.inRange("timeout", timeout, Duration.ofMillis(100), Duration.ofMinutes(10));
      return this;
    }

    /**
     * Runs listeners and completions; one of daemon threads if not set. It must run tasks on other
     * threads than the caller's and on more than one; it isn't shut down.
     */
    public Builder executor(Executor value) {
      executor = Optional.of(Objects.requireNonNull(value, "executor"));
      return this;
    }

    /** The largest frame that this client accepts; 64 KiB to 1 GiB, 8 MiB if not set. */
    public Builder maxInboundMessageBytes(int bytes) {
      maxInboundMessageBytes = Check.inRange("maxInboundMessageBytes", bytes, 1 << 16, 1 << 30);
      return this;
    }

    /**
     * A client that will connect when it is first used.
     *
     * @throws IllegalArgumentException if something that must be set isn't, or a TLS file can't be
     *     read
     */
    public HoldfastClient build() {
      String where = target.orElseThrow(() -> new IllegalArgumentException("target is not set"));
      String key = apiKey.orElseThrow(() -> new IllegalArgumentException("apiKey is not set"));
      return Transport.open(
          where,
          key,
          credentials.build(),
          new Transport.Settings(
              executor, backoff, keepAliveTime, keepAliveTimeout, maxInboundMessageBytes));
    }
  }
}
