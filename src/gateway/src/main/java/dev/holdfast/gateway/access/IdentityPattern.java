package dev.holdfast.gateway.access;

import dev.holdfast.gateway.identity.Identity;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Which identities an API key may hold, such as {@code agent/acme/builder/w-*}.
 *
 * <p>A pattern has the segments of a canonical identity string. A segment matches itself; one that
 * ends in {@code *} matches every segment that begins with the rest, at least one character; a last
 * segment {@code **} matches whatever follows, also nothing. {@code **} alone matches every
 * identity.
 *
 * <p>Immutable.
 */
public final class IdentityPattern {
  private static final Pattern SEGMENT = Pattern.compile("[A-Za-z0-9._%-]+\\*?|\\*");
  private static final String REST = "**";

  private final String text;
  private final List<String> segments;
  private final boolean open;

  private IdentityPattern(String text, List<String> segments, boolean open) {
    this.text = text;
    this.segments = segments;
    this.open = open;
  }

  /**
   * Reads a pattern.
   *
   * @throws IllegalArgumentException if a segment is empty or holds anything but what an identity
   *     string may hold and a star at its end
   */
  public static IdentityPattern parse(String text) {
    List<String> segments = Arrays.asList(text.split("/", -1));
    boolean open = segments.get(segments.size() - 1).equals(REST);
    List<String> fixed = open ? segments.subList(0, segments.size() - 1) : segments;
    for (String segment : fixed) {
      if (!SEGMENT.matcher(segment).matches()) {
        throw new IllegalArgumentException(
            "'%s' is no identity pattern: segment '%s' is not allowed".formatted(text, segment));
      }
    }
    return new IdentityPattern(text, List.copyOf(fixed), open);
  }

  /** Says whether {@code identity} matches. */
  public boolean matches(Identity identity) {
    String[] actual = identity.toString().split("/", -1);
    if (open ? actual.length < segments.size() : actual.length != segments.size()) {
      return false;
    }
    for (int i = 0; i < segments.size(); i++) {
      if (!segmentMatches(segments.get(i), actual[i])) {
        return false;
      }
    }
    return true;
  }

  private static boolean segmentMatches(String segment, String actual) {
    if (!segment.endsWith("*")) {
      return segment.equals(actual);
    }
    int fixed = segment.length() - 1;
    return actual.length() > fixed && actual.regionMatches(0, segment, 0, fixed);
  }

  /** Returns the text that was parsed. */
  @Override
  public String toString() {
    return text;
  }
}
