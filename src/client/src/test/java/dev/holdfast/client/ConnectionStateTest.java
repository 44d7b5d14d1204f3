package dev.holdfast.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ConnectionStateTest {
  @ParameterizedTest
  @CsvSource({
    "CONNECTING, HELD CLOSED",
    "HELD, SUSPECT LOST CLOSED",
    "SUSPECT, HELD LOST CLOSED",
    "LOST, HELD CLOSED",
    "CLOSED, ''",
  })
  void canBecome_followsTheTable(ConnectionState from, String expected) {
    String next =
        Stream.of(ConnectionState.values())
            .filter(from::canBecome)
            .map(Enum::name)
            .collect(Collectors.joining(" "));

    assertThat(next).isEqualTo(expected);
  }
}
