package dev.holdfast.gateway.identity;

import dev.holdfast.gateway.error.GatewayError;
import dev.holdfast.gateway.error.GatewayException;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

/**
 * The exclusive name that a principal holds, such as {@code agent/acme/builder/7}.
 *
 * <p>The canonical string is the kind's label and the parts, joined by slashes. Within a part,
 * every byte of its UTF-8 form other than an ASCII letter, a digit, {@code .}, {@code _} or {@code
 * -} is written as a percent sign and two upper-case hexadecimal digits. The mapping is one to one,
 * so two identities whose kind or parts differ never share a string, and no part can smuggle in a
 * slash or the braces of a Redis hash tag.
 *
 * <p>Immutable. Two identities are equal exactly if their strings are.
 */
public final class Identity {
  /** The longest part, in bytes of UTF-8. */
  public static final int MAX_PART_BYTES = 200;

  private static final char[] HEX = "0123456789ABCDEF".toCharArray();

  private final IdentityKind kind;
  private final List<String> parts;
  private final String canonical;

  private Identity(IdentityKind kind, List<String> parts) {
    this.kind = kind;
    this.parts = parts;
    this.canonical = canonicalOf(kind, parts);
  }

  /**
   * Makes the identity of a kind from its parts.
   *
   * @throws GatewayException {@link GatewayError#INVALID_IDENTITY} if a part is missing, empty, too
   *     long, or holds a control character or an unpaired surrogate
   */
  public static Identity of(IdentityKind kind, String... parts) {
    if (parts.length != kind.partNames().size()) {
      throw invalid(
          "A %s has %d parts %s, but %d were given: %s."
              .formatted(
                  kind.label(),
                  kind.partNames().size(),
                  kind.partNames(),
                  parts.length,
                  Arrays.toString(parts)));
    }
    for (int i = 0; i < parts.length; i++) {
      checkPart(kind, kind.partNames().get(i), parts[i]);
    }
    return new Identity(kind, List.of(parts));
  }

  /**
   * Reads a canonical identity string.
   *
   * @throws GatewayException {@link GatewayError#INVALID_IDENTITY} if {@code canonical} is not what
   *     {@link #toString()} gives for some identity
   */
  public static Identity parse(String canonical) {
    String[] segments = canonical.split("/", -1);
    for (IdentityKind kind : IdentityKind.values()) {
      if (kind.label().equals(segments[0])) {
        return parse(kind, segments, canonical);
      }
    }
    throw invalid("'%s' starts with no known kind of principal.".formatted(printable(canonical)));
  }

  private static Identity parse(IdentityKind kind, String[] segments, String canonical) {
    String[] parts = new String[segments.length - 1];
    for (int i = 0; i < parts.length; i++) {
      parts[i] = decode(segments[i + 1]);
    }
    Identity identity = of(kind, parts);
    if (!identity.canonical.equals(canonical)) {
      throw invalid(
          "'%s' is not in canonical form; write '%s'."
              .formatted(printable(canonical), identity.canonical));
    }
    return identity;
  }

  public IdentityKind kind() {
    return kind;
  }

  /** Returns the parts as the principal gave them, not encoded. */
  public List<String> parts() {
    return parts;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Identity that && that.canonical.equals(canonical);
  }

  @Override
  public int hashCode() {
    return canonical.hashCode();
  }

  /** Returns the canonical string. */
  @Override
  public String toString() {
    return canonical;
  }

  private static void checkPart(IdentityKind kind, String name, String part) {
    if (part.isEmpty()) {
      throw invalid("The %s of a %s is empty; give it a value.".formatted(name, kind.label()));
    }
    byte[] utf8 = part.getBytes(StandardCharsets.UTF_8);
    if (utf8.length > MAX_PART_BYTES) {
      throw invalid(
          "The %s of a %s is %d bytes long; at most %d are allowed."
              .formatted(name, kind.label(), utf8.length, MAX_PART_BYTES));
    }
    boolean control = part.codePoints().anyMatch(Character::isISOControl);
    boolean unpaired = part.codePoints().anyMatch(c -> Character.getType(c) == Character.SURROGATE);
    if (control || unpaired) {
      throw invalid(
          "The %s of a %s holds a control character or an unpaired surrogate: '%s'."
              .formatted(name, kind.label(), printable(part)));
    }
  }

  private static String canonicalOf(IdentityKind kind, List<String> parts) {
    StringBuilder out = new StringBuilder(kind.label());
    for (String part : parts) {
      out.append('/');
      appendEncoded(out, part);
    }
    return out.toString();
  }

  private static void appendEncoded(StringBuilder out, String part) {
    for (byte b : part.getBytes(StandardCharsets.UTF_8)) {
      if (isPlain(b)) {
        out.append((char) b);
      } else {
        out.append('%').append(HEX[(b >> 4) & 0xf]).append(HEX[b & 0xf]);
      }
    }
  }

  private static boolean isPlain(byte b) {
    return (b >= 'a' && b <= 'z')
        || (b >= 'A' && b <= 'Z')
        || (b >= '0' && b <= '9')
        || b == '.'
        || b == '_'
        || b == '-';
  }

  private static String decode(String segment) {
    if (segment.indexOf('%') < 0) {
      return segment;
    }
    ByteArrayOutputStream utf8 = new ByteArrayOutputStream(segment.length());
    for (int i = 0; i < segment.length(); i++) {
      char c = segment.charAt(i);
      if (c == '%') {
        utf8.write(hexAt(segment, i + 1));
        i += 2;
      } else {
        utf8.write(c);
      }
    }
    return utf8.toString(StandardCharsets.UTF_8);
  }

  private static int hexAt(String segment, int index) {
    boolean complete = index + 1 < segment.length();
    int high = complete ? Character.digit(segment.charAt(index), 16) : -1;
    int low = complete ? Character.digit(segment.charAt(index + 1), 16) : -1;
    if (high < 0 || low < 0) {
      throw invalid(
          "'%s' holds a percent sign without two hexadecimal digits."
              .formatted(printable(segment)));
    }
    return high * 16 + low;
  }

  private static String printable(String text) {
    String shown = text.length() > 100 ? text.substring(0, 100) + "…" : text;
    return shown.replaceAll("[\\p{Cntrl}\\p{Cs}]", "?");
  }

  private static GatewayException invalid(String message) {
    return new GatewayException(GatewayError.INVALID_IDENTITY, message);
  }
}
