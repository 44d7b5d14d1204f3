package dev.holdfast.systemtests.suite;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;

/** A key file on disk, until it is closed. */
public final class TestKeys implements AutoCloseable {
  /** May hold every identity. */
  public static final String ALL = "hf_test-key-of-everybody";

  /** May hold every identity as well, and is another key. */
  public static final String OTHER = "hf_test-key-of-somebody-else";

  /** May hold agents of the workspace {@code acme} only. */
  public static final String ACME_AGENTS = "hf_test-key-of-acme";

  private final Path directory;
  private final Path file;

  /** Writes the file. */
  public TestKeys() {
    try {
      directory = Files.createTempDirectory("holdfast-keys-");
      file = directory.resolve("keys");
      Files.write(
          file,
          List.of(
              "# ID HASH PATTERNS",
              "all sha256:%s **".formatted(sha256(ALL)),
              "other sha256:%s **".formatted(sha256(OTHER)),
              "acme sha256:%s agent/acme/**".formatted(sha256(ACME_AGENTS))));
    } catch (IOException e) {
      throw new UncheckedIOException("cannot write a key file", e);
    }
  }

  public Path file() {
    return file;
  }

  @Override
  public void close() {
    try {
      Files.deleteIfExists(file);
      Files.deleteIfExists(directory);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot delete " + directory, e);
    }
  }

  private static String sha256(String key) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      return HexFormat.of().formatHex(digest.digest(key.getBytes(StandardCharsets.UTF_8)));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }
}
