package dev.holdfast.gateway.server;

import com.ibm.websphere.ssl.JSSEHelper;
import com.ibm.websphere.ssl.SSLException;
import dev.holdfast.gateway.config.ClientAuth;
import dev.holdfast.gateway.config.ConfigException;
import dev.holdfast.gateway.config.ConfigKeys;
import dev.holdfast.gateway.config.GatewayConfig;
import io.netty.handler.ssl.SslContext;
import java.util.Map;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * TLS for the gRPC port from the {@code <ssl>} element of Liberty that the configuration names.
 *
 * <p>Liberty reads a changed key store by itself if its {@code updateTrigger} says so, and then has
 * a new {@link SSLContext}. It tells no application about that, so {@link #reload} asks.
 */
final class LibertyTls {
  private final String sslId;
  private final ReloadingSslContext context;

  private LibertyTls(String sslId, ReloadingSslContext context) {
    this.sslId = sslId;
    this.context = context;
  }

  /**
   * Reads the key material; empty if no element is named.
   *
   * @throws ConfigException if there is no such element, or its key stores cannot be used
   */
  static Optional<LibertyTls> of(GatewayConfig.Grpc config) {
    if (config.ssl().isEmpty()) {
      checkNoClientAuth(config);
      return Optional.empty();
    }
    String sslId = config.ssl().get();
    return Optional.of(
        new LibertyTls(
            sslId, new ReloadingSslContext(() -> libertyContext(sslId), config.clientAuth())));
  }

  SslContext context() {
    return context;
  }

  /** Takes over key material that has changed; if it cannot be used, the old one stays. */
  void reload() {
    try {
      if (context.reload()) {
        ServerLog.tlsReloaded(sslId);
      }
    } catch (RuntimeException e) {
      ServerLog.tlsNotReloaded(sslId, String.valueOf(e.getMessage()));
    }
  }

  private static SSLContext libertyContext(String sslId) {
    JSSEHelper helper = JSSEHelper.getInstance();
    if (!helper.doesSSLConfigExist(sslId)) {
      throw new ConfigException(
          "%s is '%s', but the server has no <ssl id=\"%s\"> with a usable key store."
              .formatted(ConfigKeys.GRPC_SSL.name(), sslId, sslId));
    }
    try {
      @Nullable Map<String, Object> anyConnection = null;
      return helper.getSSLContext(sslId, anyConnection, null, /* tryDefault= */ false);
    } catch (SSLException e) {
      throw new ConfigException(
          "%s is '%s', whose key stores cannot be used: %s"
              .formatted(ConfigKeys.GRPC_SSL.name(), sslId, e.getMessage()));
    }
  }

  private static void checkNoClientAuth(GatewayConfig.Grpc config) {
    if (config.clientAuth() != ClientAuth.NONE) {
      throw new ConfigException(
          "%s asks clients for certificates, but %s is not set, so the gRPC port speaks plaintext."
              .formatted(ConfigKeys.GRPC_CLIENT_AUTH.name(), ConfigKeys.GRPC_SSL.name()));
    }
  }
}
