package dev.holdfast.gateway.access;

import dev.holdfast.gateway.config.ConfigException;
import dev.holdfast.gateway.config.ConfigKeys;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The API keys that the gateway knows. Without any, nobody gets in.
 *
 * <p>Keys are found by their SHA-256. The look-up hashes what was presented first, so that its
 * duration depends on digests only: whoever measured how much of a stored digest he hit would still
 * have to find a key with that digest. The digests themselves are compared in constant time.
 *
 * <p>Thread-safe.
 */
public final class ApiKeys {
  private static final String TRIAL_ID = "trial";
  private static final int KEY_BYTES = 32;

  private volatile Map<KeyDigest, ApiKey> keys;

  private ApiKeys(Map<KeyDigest, ApiKey> keys) {
    this.keys = keys;
  }

  /** Returns no keys. */
  public static ApiKeys none() {
    return new ApiKeys(Map.of());
  }

  /**
   * Returns one key, called {@code trial}, that may hold every identity.
   *
   * @param key what clients must present
   */
  public static ApiKeys trial(String key) {
    ApiKey all = new ApiKey(TRIAL_ID, List.of(IdentityPattern.parse("**")));
    return new ApiKeys(Map.of(KeyDigest.of(key), all));
  }

  /**
   * Reads the text of a key file.
   *
   * @throws ConfigException for its first line that is wrong
   */
  static ApiKeys parse(String fileName, String text) {
    return new ApiKeys(KeyFile.parse(fileName, text));
  }

  /** Makes a key of 256 random bits. */
  public static String randomKey(SecureRandom random) {
    byte[] bytes = new byte[KEY_BYTES];
    random.nextBytes(bytes);
    return "hf_" + Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
  }

  /** Finds the key that a client presented. */
  public Optional<ApiKey> find(String presented) {
    return Optional.ofNullable(keys.get(KeyDigest.of(presented)));
  }

  /** Returns how many keys are known. */
  public int size() {
    return keys.size();
  }

  /**
   * Takes over the keys of a file that has changed.
   *
   * @throws ConfigException for its first line that is wrong; then the keys stay as they are
   */
  void replace(String fileName, String text) {
    keys = KeyFile.parse(fileName, text);
  }

  /**
   * Reads the text of a key file.
   *
   * @throws ConfigException if it cannot be read
   */
  static String textOf(Path file) {
    try {
      return Files.readString(file);
    } catch (CharacterCodingException e) {
      throw unreadable(file, "is not UTF-8 text");
    } catch (IOException e) {
      throw unreadable(file, "cannot be read: " + e);
    }
  }

  private static ConfigException unreadable(Path file, String why) {
    return new ConfigException(
        "%s names '%s', which %s.".formatted(ConfigKeys.ACCESS_KEY_FILE.name(), file, why));
  }
}
