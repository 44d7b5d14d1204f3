package dev.holdfast.gateway.connection;

import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jetbrains.lincheck.datastructures.StressOptions;
import org.junit.jupiter.api.Test;

/**
 * The holder of an identity is linearizable: of all that claim it, the greatest token has it, and a
 * late removal never hits a successor.
 */
@Param(name = "identity", gen = IntGen.class, conf = "1:2")
@Param(name = "token", gen = IntGen.class, conf = "1:4")
public final class HolderTableLincheckTest {
  /** Interned, since the table compares by identity. */
  private static final Integer[] CLAIMANTS = {0, 1, 2, 3, 4};

  private final HolderTable<Integer> table = new HolderTable<>(Integer::longValue);

  @Operation
  public int publish(@Param(name = "identity") int identity, @Param(name = "token") int token) {
    Integer loser = table.publish(Integer.toString(identity), CLAIMANTS[token]);
    return loser == null ? 0 : loser;
  }

  @Operation
  public boolean remove(@Param(name = "identity") int identity, @Param(name = "token") int token) {
    return table.remove(Integer.toString(identity), CLAIMANTS[token]);
  }

  @Operation
  public int find(@Param(name = "identity") int identity) {
    Integer holder = table.find(Integer.toString(identity));
    return holder == null ? 0 : holder;
  }

  @Test
  void publishRemoveFind_areLinearizable() {
    new StressOptions()
        .iterations(30)
        .invocationsPerIteration(1_000)
        .threads(3)
        .actorsPerThread(3)
        .check(getClass());
  }
}
