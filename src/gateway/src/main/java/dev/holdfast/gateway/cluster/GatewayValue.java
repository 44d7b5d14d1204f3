package dev.holdfast.gateway.cluster;

import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The string that Redis keeps for a live gateway: seven words, the second of them its epoch. */
final class GatewayValue {
  private static final String FORMAT = "1";
  private static final int WORDS = 7;

  private GatewayValue() {}

  static String write(Self self, Presence presence) {
    return Stream.of(
            FORMAT,
            self.epoch(),
            presence.grpcAddress(),
            self.version(),
            Long.toString(self.startedAt().toEpochMilli()),
            presence.state(),
            Integer.toString(presence.connections()))
        .map(word -> URLEncoder.encode(word, StandardCharsets.UTF_8))
        .collect(Collectors.joining(" "));
  }

  /**
   * Reads a value.
   *
   * @throws IllegalArgumentException if it was not written by this version
   */
  static GatewayRecord read(String id, String value) {
    String[] words = value.split(" ", -1);
    if (words.length != WORDS || !words[0].equals(FORMAT)) {
      throw new IllegalArgumentException("not a gateway of version " + FORMAT + ": " + value);
    }
    return new GatewayRecord(
        id,
        decode(words[1]),
        decode(words[2]),
        decode(words[3]),
        Instant.ofEpochMilli(Long.parseLong(words[4])),
        decode(words[5]),
        Integer.parseInt(words[6]));
  }

  private static String decode(String word) {
    return URLDecoder.decode(word, StandardCharsets.UTF_8);
  }
}
