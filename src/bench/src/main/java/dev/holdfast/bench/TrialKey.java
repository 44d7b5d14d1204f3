package dev.holdfast.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.HexFormat;

/**
 * A new API key and the key file, deleted by {@link #close}, that makes gateways accept it.
 *
 * @param key the secret
 * @param file holds its hash
 */
record TrialKey(String key, Path file) implements AutoCloseable {
  private static final int KEY_BYTES = 32;

  /** Makes a key that may hold the identities that match {@code pattern}. */
  static TrialKey create(String pattern) {
    byte[] secret = new byte[KEY_BYTES];
    new SecureRandom().nextBytes(secret);
    String key = HexFormat.of().formatHex(secret);
    try {
      MessageDigest sha256 = MessageDigest.getInstance("SHA-256");
      String hash = HexFormat.of().formatHex(sha256.digest(key.getBytes(StandardCharsets.UTF_8)));
      Path file = Files.createTempFile("holdfast-bench-", ".keys");
      Files.writeString(file, "bench sha256:%s %s%n".formatted(hash, pattern));
      return new TrialKey(key, file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }

  @Override
  public void close() {
    try {
      Files.deleteIfExists(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Does not show the key. */
  @Override
  public String toString() {
    return file.toString();
  }
}
