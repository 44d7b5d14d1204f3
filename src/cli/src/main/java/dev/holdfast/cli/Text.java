package dev.holdfast.cli;

/** Text from elsewhere, made safe for a terminal. */
final class Text {
  private Text() {}

  /** Control characters, which could steer the terminal, become {@code \\uXXXX}. */
  static String printable(String text) {
    StringBuilder out = new StringBuilder(text.length());
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (Character.isISOControl(c)) {
        out.append(String.format("\\u%04x", (int) c));
      } else {
        out.append(c);
      }
    }
    return out.toString();
  }

  /** As {@link #printable}, in quotation marks if it isn't one plain word. */
  static String word(String text) {
    boolean plain = !text.isEmpty() && text.chars().noneMatch(c -> c == ' ' || c == '"');
    return plain ? printable(text) : '"' + printable(text.replace("\"", "\\\"")) + '"';
  }
}
