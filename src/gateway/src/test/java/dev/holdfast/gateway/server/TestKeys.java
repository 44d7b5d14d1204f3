package dev.holdfast.gateway.server;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** A self-signed certificate for {@code localhost} with its key, made with the JDK's keytool. */
final class TestKeys {
  private static final char[] PASSWORD = "changeit".toCharArray();

  private final KeyStore store;

  private TestKeys(KeyStore store) {
    this.store = store;
  }

  static TestKeys create(Path directory, String name)
      throws IOException, InterruptedException, GeneralSecurityException {
    Path file = directory.resolve(name + ".p12");
    Path keytool = Path.of(System.getProperty("java.home"), "bin", "keytool");
    Process process =
        new ProcessBuilder(
                keytool.toString(),
                "-genkeypair",
                "-alias",
                name,
                "-dname",
                "CN=" + name,
                "-ext",
                "san=dns:localhost",
                "-keyalg",
                "EC",
                "-storetype",
                "PKCS12",
                "-storepass",
                new String(PASSWORD),
                "-keystore",
                file.toString())
            .inheritIO()
            .start();
    if (process.waitFor() != 0) {
      throw new IOException("keytool failed with " + process.exitValue());
    }
    KeyStore store = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(file)) {
      store.load(in, PASSWORD);
    }
    return new TestKeys(store);
  }

  /** Returns a context that shows this certificate and trusts {@code trusted}. */
  SSLContext contextTrusting(TestKeys trusted) throws GeneralSecurityException {
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(keys().getKeyManagers(), trusted.trust().getTrustManagers(), null);
    return context;
  }

  KeyManagerFactory keys() throws GeneralSecurityException {
    KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    keys.init(store, PASSWORD);
    return keys;
  }

  TrustManagerFactory trust() throws GeneralSecurityException {
    KeyStore certificates = KeyStore.getInstance("PKCS12");
    try {
      certificates.load(null, PASSWORD);
    } catch (IOException e) {
      throw new GeneralSecurityException(e);
    }
    String alias = store.aliases().nextElement();
    certificates.setCertificateEntry(alias, store.getCertificate(alias));
    TrustManagerFactory trust =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trust.init(certificates);
    return trust;
  }
}
