package dev.holdfast.gateway.access;

import dev.holdfast.gateway.config.ConfigException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Reads key files: a line per key, {@code ID sha256:HEX PATTERN,PATTERN}; blank lines and lines
 * that start with {@code #} count for nothing.
 */
final class KeyFile {
  private static final String HASH = "sha256:";
  private static final Pattern ID = Pattern.compile("[A-Za-z0-9._-]{1,64}");
  private static final Pattern SPACE = Pattern.compile("\\s+");

  private final String name;
  private final Map<KeyDigest, ApiKey> keys = new HashMap<>();
  private final Set<String> ids = new HashSet<>();

  private KeyFile(String name) {
    this.name = name;
  }

  /**
   * Reads the text of a key file.
   *
   * @param name names the file in errors
   * @throws ConfigException for the first line that is wrong; it names the file, the line and what
   *     is wrong, and never quotes what might be a key
   */
  static Map<KeyDigest, ApiKey> parse(String name, String text) {
    KeyFile file = new KeyFile(name);
    List<String> lines = text.lines().toList();
    for (int i = 0; i < lines.size(); i++) {
      String line = lines.get(i).strip();
      if (!line.isEmpty() && !line.startsWith("#")) {
        file.add(i + 1, line);
      }
    }
    return Map.copyOf(file.keys);
  }

  private void add(int number, String line) {
    try {
      addEntry(SPACE.split(line));
    } catch (IllegalArgumentException e) {
      throw new ConfigException(
          "%s line %d: %s. A line is 'ID sha256:HEX PATTERN,PATTERN'."
              .formatted(name, number, e.getMessage()));
    }
  }

  private void addEntry(String[] fields) {
    if (fields.length != 3) {
      throw new IllegalArgumentException("it has %d fields instead of 3".formatted(fields.length));
    }
    if (!ID.matcher(fields[0]).matches()) {
      throw new IllegalArgumentException("the id must be 1 to 64 letters, digits, '.', '_' or '-'");
    }
    if (!fields[1].startsWith(HASH)) {
      throw new IllegalArgumentException("the second field does not start with " + HASH);
    }
    KeyDigest digest = KeyDigest.parse(fields[1].substring(HASH.length()));
    ApiKey key = new ApiKey(fields[0], patterns(fields[2]));
    if (!ids.add(key.id())) {
      throw new IllegalArgumentException(
          "the id '%s' stands in the file twice".formatted(key.id()));
    }
    if (keys.putIfAbsent(digest, key) != null) {
      throw new IllegalArgumentException("another id has the same hash");
    }
  }

  private static List<IdentityPattern> patterns(String field) {
    List<IdentityPattern> patterns = new ArrayList<>();
    for (String pattern : field.split(",", -1)) {
      patterns.add(IdentityPattern.parse(pattern));
    }
    return patterns;
  }
}
