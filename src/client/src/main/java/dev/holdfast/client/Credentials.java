package dev.holdfast.client;

import io.grpc.ChannelCredentials;
import io.grpc.InsecureChannelCredentials;
import io.grpc.TlsChannelCredentials;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/** How the transport is secured, as set in the builder. */
final class Credentials {
  private Optional<ChannelCredentials> ready = Optional.empty();
  private Optional<Path> trust = Optional.empty();
  private Optional<Path> certificates = Optional.empty();
  private Optional<Path> key = Optional.empty();

  void use(ChannelCredentials credentials) {
    ready = Optional.of(credentials);
  }

  void usePlaintext() {
    use(InsecureChannelCredentials.create());
  }

  void trust(Path pem) {
    trust = Optional.of(pem);
  }

  void identify(Path certificatesPem, Path keyPem) {
    certificates = Optional.of(certificatesPem);
    key = Optional.of(keyPem);
  }

  /** TLS with the JDK's trusted authorities unless something else was set. */
  ChannelCredentials build() {
    boolean files = trust.isPresent() || key.isPresent();
    if (ready.isPresent()) {
      if (files) {
        throw new IllegalArgumentException(
            "TLS files can't be combined with plaintext or with ready-made credentials");
      }
      return ready.get();
    }
    try {
      return tls();
    } catch (IOException e) {
      throw new IllegalArgumentException("a TLS file can't be read: " + e.getMessage(), e);
    }
  }

  private ChannelCredentials tls() throws IOException {
    TlsChannelCredentials.Builder tls = TlsChannelCredentials.newBuilder();
    if (trust.isPresent()) {
      tls.trustManager(trust.get().toFile());
    }
    if (certificates.isPresent() && key.isPresent()) {
      tls.keyManager(certificates.get().toFile(), key.get().toFile());
    }
    return tls.build();
  }
}
