package dev.holdfast.systemtests.tour;

import dev.holdfast.systemtests.harness.GatewayProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.HexFormat;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a gateway on an embedded Redis prints for whoever tries it.
 *
 * @param redisUrl where a second gateway finds the same Redis
 * @param apiKey may hold every identity
 */
record Trial(String redisUrl, String apiKey) {
  private static final Duration PRINTED_WITHIN = Duration.ofSeconds(30);
  private static final Pattern LINE =
      Pattern.compile("For trials only: Redis (\\S+), API key (\\S+) for every identity");

  /** Reads it from the gateway's output. */
  static Trial of(GatewayProcess gateway) {
    String line = gateway.process().awaitLine(LINE.asPredicate(), PRINTED_WITHIN);
    Matcher matcher = LINE.matcher(line);
    if (!matcher.find()) {
      throw new IllegalStateException("the gateway printed no trial key: " + line);
    }
    return new Trial(matcher.group(1), matcher.group(2));
  }

  /** Writes a key file with which another gateway accepts the same key, under the same name. */
  Path writeKeyFile() {
    try {
      Path file = Files.createTempFile("holdfast-tour-keys", ".txt");
      Files.writeString(file, "trial sha256:" + sha256(apiKey) + " **\n");
      file.toFile().deleteOnExit();
      return file;
    } catch (IOException e) {
      throw new UncheckedIOException("cannot write a key file", e);
    }
  }

  private static String sha256(String text) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      return HexFormat.of().formatHex(digest.digest(text.getBytes(StandardCharsets.UTF_8)));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }
}
