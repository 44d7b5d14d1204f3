package dev.holdfast.gateway.identity;

import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Names one connection for ever: {@code conn-} and 32 hexadecimal digits. Called {@code session_id}
 * on the wire.
 *
 * @param value the whole string
 */
public record ConnectionId(String value) {
  private static final Pattern FORMAT = Pattern.compile("conn-[0-9a-f]{32}");
  private static final int RANDOM_BYTES = 16;

  public ConnectionId {
    if (!FORMAT.matcher(value).matches()) {
      throw new IllegalArgumentException("not a session id: '" + value + "'");
    }
  }

  /** Makes an id that nobody can guess. */
  public static ConnectionId random(SecureRandom random) {
    byte[] bytes = new byte[RANDOM_BYTES];
    random.nextBytes(bytes);
    return new ConnectionId("conn-" + HexFormat.of().formatHex(bytes));
  }

  /** Reads an id that came from outside; empty if {@code text} is none. */
  public static Optional<ConnectionId> parse(String text) {
    return FORMAT.matcher(text).matches() ? Optional.of(new ConnectionId(text)) : Optional.empty();
  }

  @Override
  public String toString() {
    return value;
  }
}
