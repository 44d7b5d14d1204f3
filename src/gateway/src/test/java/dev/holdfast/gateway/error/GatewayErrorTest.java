package dev.holdfast.gateway.error;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.gateway.testing.ReferenceTable;
import java.util.HashSet;
import java.util.Locale;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

final class GatewayErrorTest {
  @Test
  void numbers_areUnique() {
    Set<Integer> numbers = new HashSet<>();
    for (GatewayError error : GatewayError.values()) {
      assertThat(numbers.add(error.number())).as(error.name()).isTrue();
    }
  }

  @ParameterizedTest
  @EnumSource
  void everyError_hasAnHttpErrorStatusAndASentence(GatewayError error) {
    assertThat(error.httpStatus()).isBetween(400, 599);
    assertThat(error.meaning()).matches("[A-Z`].*\\.");
  }

  @ParameterizedTest
  @EnumSource
  void everyRpcCode_isGrpcsOwn(RpcCode code) {
    assertThat(io.grpc.Status.fromCodeValue(code.number()).getCode().name()).isEqualTo(code.name());
  }

  @Test
  void reference_listsEveryErrorAsItIs() {
    ReferenceTable table =
        new ReferenceTable("reason", "number", "gRPC", "HTTP", "retry", "meaning");
    for (GatewayError error : GatewayError.values()) {
      table.row(
          "`" + error.name() + "`",
          Integer.toString(error.number()),
          "`" + error.rpcCode() + "`",
          Integer.toString(error.httpStatus()),
          error.retryClass().name().toLowerCase(Locale.ROOT).replace('_', ' '),
          error.meaning());
    }

    assertThat(ReferenceTable.firstIn("errors.md")).isEqualTo(table.lines());
  }
}
