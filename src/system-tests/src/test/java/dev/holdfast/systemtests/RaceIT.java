package dev.holdfast.systemtests;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.protocol.gateway.v1.Principal;
import dev.holdfast.systemtests.driver.Principals;
import dev.holdfast.systemtests.driver.RawClient;
import dev.holdfast.systemtests.driver.RawConnection;
import dev.holdfast.systemtests.suite.Clients;
import dev.holdfast.systemtests.suite.SharedCluster;
import dev.holdfast.systemtests.suite.Suite;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Several clients want one identity in the same moment. */
@ExtendWith(Suite.class)
final class RaceIT {
  private static final int ROUNDS = 200;
  private static final int EXPIRY_ROUNDS = 20;

  @AutoClose private final Clients clients = new Clients();

  @AutoClose("shutdownNow")
  private final ExecutorService racers = Executors.newFixedThreadPool(2);

  private final SharedCluster cluster;
  private final RawClient first;
  private final RawClient second;

  RaceIT(SharedCluster cluster) {
    this.cluster = cluster;
    this.first = clients.to(cluster.first());
    this.second = clients.to(cluster.second());
  }

  /** Of two connects in the same moment on two gateways, exactly one wins. */
  @Test
  void f1_twoConnectsAtOnceOnTwoGateways_exactlyOneWins() throws Exception {
    Principal agent = Principals.freshAgent();
    long lastToken = 0;
    for (int round = 0; round < ROUNDS; round++) {
      List<RawConnection> both = race(() -> first.connect(agent), () -> second.connect(agent));

      RawConnection winner = onlyWinner(both, round);
      assertThat(winner.ack().getFencingToken()).as("round %d", round).isGreaterThan(lastToken);
      lastToken = winner.ack().getFencingToken();
      winner.halfClose();
      assertThat(winner.end().status().isOk()).isTrue();
    }
  }

  /** A lock expires while its session is resumed and a third client asks: one of the two wins. */
  @Test
  void f12_resumeRacesTheExpiryAndAThirdClient_exactlyOneWins() throws Exception {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    for (int round = 0; round < EXPIRY_ROUNDS; round++) {
      Principal agent = Principals.freshAgent();
      RawConnection old = first.connect(agent).held();
      String identity = old.ack().getIdentity();
      String session = old.ack().getSessionId();
      int pause = random.nextInt(3_000_000);

      cluster.locks().expireAfter(identity, 1 + random.nextInt(8));
      List<RawConnection> both =
          race(
              () -> pausing(pause).resume(agent, session),
              () -> pausing(random.nextInt(3_000_000)).connect(agent));

      RawConnection winner = onlyWinner(both, round);
      assertThat(winner.ack().getFencingToken())
          .as("round %d, seed %d", round, seed)
          .isGreaterThan(old.ack().getFencingToken());
      assertThat(old.end().reason()).isIn("SUPERSEDED", "LOCK_LOST");
      assertThat(cluster.locks().holder(identity)).contains(winner.ack().getSessionId());
      assertThat(winner.isOpen()).isTrue();
      winner.cancel();
    }
  }

  private RawClient pausing(int nanos) {
    LockSupport.parkNanos(nanos);
    return second;
  }

  private List<RawConnection> race(Supplier<RawConnection> one, Supplier<RawConnection> other)
      throws Exception {
    CountDownLatch start = new CountDownLatch(2);
    Future<RawConnection> a = racers.submit(() -> atOnce(start, one));
    Future<RawConnection> b = racers.submit(() -> atOnce(start, other));
    return List.of(a.get(), b.get());
  }

  private static RawConnection atOnce(CountDownLatch start, Supplier<RawConnection> connect)
      throws InterruptedException {
    start.countDown();
    start.await();
    return connect.get();
  }

  private static RawConnection onlyWinner(List<RawConnection> both, int round) {
    List<RawConnection> winners = both.stream().filter(RawConnection::isHeld).toList();
    List<RawConnection> losers = both.stream().filter(c -> !c.isHeld()).toList();
    assertThat(winners).as("winners in round %d: %s", round, both).hasSize(1);
    assertThat(losers.get(0).end().reason())
        .as("loser in round %d: %s", round, losers)
        .isEqualTo("DUPLICATE_IDENTITY");
    return winners.get(0);
  }
}
