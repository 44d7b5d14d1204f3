package dev.holdfast.client;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Objects;

/** Argument checks whose messages name the argument, the bad value and what is allowed. */
final class Check {
  private Check() {}

  /** A duration from {@code min} to {@code max}, both included. */
  static Duration inRange(String name, Duration value, Duration min, Duration max) {
    Objects.requireNonNull(value, name);
    if (value.compareTo(min) < 0 || value.compareTo(max) > 0) {
      throw new IllegalArgumentException(
          name + " must be from " + min + " to " + max + " but is " + value);
    }
    return value;
  }

  /** A whole number from {@code min} to {@code max}, both included. */
  static int inRange(String name, int value, int min, int max) {
    if (value < min || value > max) {
      throw new IllegalArgumentException(
          name + " must be from " + min + " to " + max + " but is " + value);
    }
    return value;
  }

  /** Text that isn't empty, without control characters, of at most {@code maxBytes} of UTF-8. */
  static String text(String name, String value, int maxBytes) {
    Objects.requireNonNull(value, name);
    if (value.isEmpty()) {
      throw new IllegalArgumentException(name + " must not be empty");
    }
    return optionalText(name, value, maxBytes);
  }

  /** As {@link #text}, but may be empty. */
  static String optionalText(String name, String value, int maxBytes) {
    Objects.requireNonNull(value, name);
    int bytes = value.getBytes(StandardCharsets.UTF_8).length;
    if (bytes > maxBytes) {
      throw new IllegalArgumentException(
          name + " must be at most " + maxBytes + " bytes of UTF-8 but is " + bytes);
    }
    if (value.chars().anyMatch(Character::isISOControl)) {
      throw new IllegalArgumentException(
          name + " must hold no control character but is '" + escaped(value) + "'");
    }
    return value;
  }

  private static String escaped(String value) {
    StringBuilder out = new StringBuilder();
    value
        .chars()
        .forEach(
            c -> {
              if (Character.isISOControl(c)) {
                out.append(String.format("\\u%04x", c));
              } else {
                out.append((char) c);
              }
            });
    return out.toString();
  }
}
