package dev.holdfast.gateway.connection;

import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.StressOptions;
import org.junit.jupiter.api.Test;

/** Count, limit and gate are one linearizable whole: nobody is admitted after the gate is shut. */
public final class AdmissionGateLincheckTest {
  private final AdmissionGate gate = new AdmissionGate(2);

  @Operation
  public String enter() {
    return gate.enter().name();
  }

  @Operation
  public boolean shut() {
    return gate.shut();
  }

  @Operation
  public boolean isShut() {
    return gate.isShut();
  }

  @Operation
  public int count() {
    return gate.count();
  }

  @Test
  void enterAndShut_areLinearizable() {
    new StressOptions()
        .iterations(30)
        .invocationsPerIteration(1_000)
        .threads(3)
        .actorsPerThread(3)
        .check(getClass());
  }
}
