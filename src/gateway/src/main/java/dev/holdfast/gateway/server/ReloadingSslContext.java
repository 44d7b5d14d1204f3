package dev.holdfast.gateway.server;

import dev.holdfast.gateway.config.ClientAuth;
import io.netty.buffer.ByteBufAllocator;
import io.netty.handler.codec.http2.Http2SecurityUtil;
import io.netty.handler.ssl.ApplicationProtocolConfig;
import io.netty.handler.ssl.ApplicationProtocolNames;
import io.netty.handler.ssl.ApplicationProtocolNegotiator;
import io.netty.handler.ssl.JdkSslContext;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SupportedCipherSuiteFilter;
import java.util.List;
import java.util.function.Supplier;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLSessionContext;

/**
 * TLS for HTTP/2 whose key material can change while the port is open: each new handshake uses the
 * newest, established connections keep theirs.
 *
 * <p>Thread-safe.
 */
final class ReloadingSslContext extends SslContext {
  private static final String[] PROTOCOLS = {"TLSv1.3", "TLSv1.2"};

  private final Supplier<SSLContext> source;
  private final ClientAuth clientAuth;
  private volatile Material newest;

  /**
   * Reads the key material for the first time.
   *
   * @param source returns another object exactly when the key material has changed
   */
  ReloadingSslContext(Supplier<SSLContext> source, ClientAuth clientAuth) {
    this.source = source;
    this.clientAuth = clientAuth;
    this.newest = material(source.get(), clientAuth);
  }

  /** Takes over changed key material; returns whether it had changed. */
  boolean reload() {
    SSLContext current = source.get();
    if (current == newest.jdk) {
      return false;
    }
    newest = material(current, clientAuth);
    return true;
  }

  @Override
  public boolean isClient() {
    return false;
  }

  @Override
  public List<String> cipherSuites() {
    return newest.netty.cipherSuites();
  }

  @Override
  @SuppressWarnings("deprecation") // The supertype asks for this type.
  public ApplicationProtocolNegotiator applicationProtocolNegotiator() {
    return newest.netty.applicationProtocolNegotiator();
  }

  @Override
  public SSLEngine newEngine(ByteBufAllocator allocator) {
    return newest.netty.newEngine(allocator);
  }

  @Override
  public SSLEngine newEngine(ByteBufAllocator allocator, String peerHost, int peerPort) {
    return newest.netty.newEngine(allocator, peerHost, peerPort);
  }

  @Override
  public SSLSessionContext sessionContext() {
    return newest.netty.sessionContext();
  }

  private static Material material(SSLContext jdk, ClientAuth clientAuth) {
    ApplicationProtocolConfig http2 =
        new ApplicationProtocolConfig(
            ApplicationProtocolConfig.Protocol.ALPN,
            ApplicationProtocolConfig.SelectorFailureBehavior.NO_ADVERTISE,
            ApplicationProtocolConfig.SelectedListenerFailureBehavior.ACCEPT,
            ApplicationProtocolNames.HTTP_2);
    SslContext netty =
        new JdkSslContext(
            jdk,
            /* isClient= */ false,
            Http2SecurityUtil.CIPHERS,
            SupportedCipherSuiteFilter.INSTANCE,
            http2,
            nettyClientAuth(clientAuth),
            PROTOCOLS,
            /* startTls= */ false);
    return new Material(jdk, netty);
  }

  private static io.netty.handler.ssl.ClientAuth nettyClientAuth(ClientAuth clientAuth) {
    return switch (clientAuth) {
      case NONE -> io.netty.handler.ssl.ClientAuth.NONE;
      case OPTIONAL -> io.netty.handler.ssl.ClientAuth.OPTIONAL;
      case REQUIRED -> io.netty.handler.ssl.ClientAuth.REQUIRE;
    };
  }

  private record Material(SSLContext jdk, SslContext netty) {}
}
