package dev.holdfast.gateway.server;

import dev.holdfast.gateway.cluster.Self;
import dev.holdfast.gateway.config.GatewayConfig;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.HexFormat;
import java.util.Properties;

/** Gives this gateway, in this boot, its name, epoch and version. */
final class SelfMaker {
  private static final int ID_BYTES = 4;
  private static final int EPOCH_BYTES = 8;

  private SelfMaker() {}

  static Self make(GatewayConfig.Gateway config, SecureRandom random) {
    String id = config.id().orElseGet(() -> "gw-" + hex(random, ID_BYTES));
    return new Self(id, hex(random, EPOCH_BYTES), version(), Instant.now());
  }

  private static String hex(SecureRandom random, int length) {
    byte[] bytes = new byte[length];
    random.nextBytes(bytes);
    return HexFormat.of().formatHex(bytes);
  }

  private static String version() {
    Properties properties = new Properties();
    try (InputStream in = SelfMaker.class.getResourceAsStream("version.properties")) {
      if (in == null) {
        throw new IllegalStateException("the application lacks version.properties");
      }
      properties.load(in);
    } catch (IOException e) {
      throw new UncheckedIOException("version.properties cannot be read", e);
    }
    return properties.getProperty("version", "unknown");
  }
}
