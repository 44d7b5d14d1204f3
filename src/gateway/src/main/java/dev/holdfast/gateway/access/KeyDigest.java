package dev.holdfast.gateway.access;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;

/**
 * The SHA-256 of an API key: all that the gateway keeps of it.
 *
 * <p>A key holds 256 random bits, so that neither salt nor a slow hash would make it harder to find
 * from its digest. Two digests are compared in constant time.
 */
final class KeyDigest {
  private static final int BYTES = 32;

  private final byte[] bytes;

  private KeyDigest(byte[] bytes) {
    this.bytes = bytes;
  }

  /** Digests what a client presented. */
  static KeyDigest of(String key) {
    try {
      MessageDigest sha256 = MessageDigest.getInstance("SHA-256");
      return new KeyDigest(sha256.digest(key.getBytes(StandardCharsets.UTF_8)));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }

  /**
   * Reads a digest.
   *
   * @throws IllegalArgumentException if {@code hex} is not 64 hexadecimal digits
   */
  static KeyDigest parse(String hex) {
    if (hex.length() != BYTES * 2) {
      throw new IllegalArgumentException(
          "the hash has %d characters instead of %d".formatted(hex.length(), BYTES * 2));
    }
    try {
      return new KeyDigest(HexFormat.of().parseHex(hex));
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("the hash holds other characters than 0-9 and a-f", e);
    }
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof KeyDigest that && MessageDigest.isEqual(bytes, that.bytes);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(bytes);
  }

  /** Returns 64 hexadecimal digits. */
  @Override
  public String toString() {
    return HexFormat.of().formatHex(bytes);
  }
}
