package dev.holdfast.systemtests.suite;

import dev.holdfast.systemtests.harness.ChildProcess;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.time.Duration;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;

/**
 * A self-signed certificate for {@code localhost} and its private key, made by {@code keytool}.
 *
 * @param keyStore a PKCS 12 file with both
 */
public record TestCertificate(Path keyStore) {
  /** The password of every store. */
  public static final String PASSWORD = "for-tests-only";

  private static final String ALIAS = "one";

  /** Makes a certificate for {@code name} in a file of {@code directory}. */
  public static TestCertificate make(Path directory, String name) {
    Path file = directory.resolve(name + ".p12");
    ProcessBuilder command =
        new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
            "-genkeypair",
            "-alias",
            ALIAS,
            "-keyalg",
            "EC",
            "-validity",
            "2",
            "-dname",
            "CN=" + name,
            "-ext",
            "SAN=dns:localhost,ip:127.0.0.1",
            "-storetype",
            "PKCS12",
            "-storepass",
            PASSWORD,
            "-keystore",
            file.toString());
    try (ChildProcess keytool = ChildProcess.start("keytool", command)) {
      if (!keytool.awaitExit(Duration.ofMinutes(1)) || keytool.exitStatus() != 0) {
        throw new IllegalStateException("keytool failed: " + keytool.output());
      }
    }
    return new TestCertificate(file);
  }

  public X509Certificate certificate() {
    try {
      return (X509Certificate) load().getCertificate(ALIAS);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Returns what shows this certificate. */
  public KeyManager[] keyManagers() {
    try {
      KeyManagerFactory factory =
          KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
      factory.init(load(), PASSWORD.toCharArray());
      return factory.getKeyManagers();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Returns what accepts this certificate only. */
  public TrustManager[] trustManagers() {
    try {
      TrustManagerFactory factory =
          TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
      factory.init(trusting());
      return factory.getTrustManagers();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Writes a PKCS 12 file that trusts this certificate. */
  public void writeTrustStore(Path file) {
    try (OutputStream out = Files.newOutputStream(file)) {
      trusting().store(out, PASSWORD.toCharArray());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  private KeyStore trusting() throws GeneralSecurityException {
    Certificate certificate = certificate();
    try {
      KeyStore store = KeyStore.getInstance("PKCS12");
      store.load(null, null);
      store.setCertificateEntry(ALIAS, certificate);
      return store;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private KeyStore load() throws GeneralSecurityException {
    try (InputStream in = Files.newInputStream(keyStore)) {
      KeyStore store = KeyStore.getInstance("PKCS12");
      store.load(in, PASSWORD.toCharArray());
      return store;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
