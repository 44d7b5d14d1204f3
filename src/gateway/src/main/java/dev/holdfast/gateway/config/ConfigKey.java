package dev.holdfast.gateway.config;

import java.util.function.Function;
import java.util.regex.Pattern;

/**
 * One configuration key: its name, type, default, range and meaning.
 *
 * <p>Immutable.
 *
 * @param <T> the type of its values
 */
public final class ConfigKey<T> {
  private static final Pattern LOGIN = Pattern.compile("//.*@");

  private final String name;
  private final String type;
  private final String defaultText;
  private final String range;
  private final String meaning;
  private final Function<String, T> parser;

  ConfigKey(
      String name,
      String type,
      String defaultText,
      String range,
      String meaning,
      Function<String, T> parser) {
    this.name = name;
    this.type = type;
    this.defaultText = defaultText;
    this.range = range;
    this.meaning = meaning;
    this.parser = parser;
  }

  public String name() {
    return name;
  }

  public String type() {
    return type;
  }

  /** Returns the default as it would be written; empty if there is none. */
  public String defaultText() {
    return defaultText;
  }

  /** Returns the accepted values in words. */
  public String range() {
    return range;
  }

  /** Returns one sentence that says what the key does. */
  public String meaning() {
    return meaning;
  }

  /**
   * Reads a value.
   *
   * @throws ConfigException if {@code text} is not of the type or out of range; it names the key,
   *     the value and the range
   */
  T parse(String text) {
    try {
      return parser.apply(text.strip());
    } catch (IllegalArgumentException | ArithmeticException e) {
      throw new ConfigException(
          "%s is '%s': %s. Accepted: %s.".formatted(name, masked(text), e.getMessage(), range));
    }
  }

  /** Hides what may be a password in a URL. */
  private static String masked(String text) {
    return LOGIN.matcher(text).replaceAll("//***@");
  }
}
