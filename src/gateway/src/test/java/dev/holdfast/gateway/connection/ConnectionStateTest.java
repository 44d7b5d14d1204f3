package dev.holdfast.gateway.connection;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

final class ConnectionStateTest {
  private static final Map<String, ConnectionState> MOVES =
      Map.of(
          "AWAITING_INIT INIT", ConnectionState.ACQUIRING,
          "AWAITING_INIT END", ConnectionState.CLOSING,
          "ACQUIRING ACQUIRED", ConnectionState.HELD,
          "ACQUIRING END", ConnectionState.CLOSING,
          "HELD LEASE_SUSPECT", ConnectionState.SUSPECT,
          "HELD END", ConnectionState.CLOSING,
          "SUSPECT LEASE_HELD", ConnectionState.HELD,
          "SUSPECT END", ConnectionState.CLOSING,
          "CLOSING CLEANED", ConnectionState.CLOSED);

  static Stream<Arguments> everyPair() {
    return Stream.of(ConnectionState.values())
        .flatMap(
            state -> Stream.of(ConnectionEvent.values()).map(event -> Arguments.of(state, event)));
  }

  @ParameterizedTest
  @MethodSource("everyPair")
  void next_everyPair_movesOrIgnores(ConnectionState state, ConnectionEvent event) {
    assertThat(state.next(event)).isEqualTo(Optional.ofNullable(MOVES.get(state + " " + event)));
  }

  @ParameterizedTest
  @EnumSource(ConnectionEvent.class)
  void next_closed_absorbsEverything(ConnectionEvent event) {
    assertThat(ConnectionState.CLOSED.next(event)).isEmpty();
  }

  @Test
  void holdsIdentity_onlyHeldAndSuspect() {
    assertThat(ConnectionState.values())
        .filteredOn(ConnectionState::holdsIdentity)
        .containsExactly(ConnectionState.HELD, ConnectionState.SUSPECT);
  }
}
