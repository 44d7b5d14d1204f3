package dev.holdfast.systemtests.suite;

import dev.holdfast.protocol.gateway.v1.Principal;
import dev.holdfast.systemtests.driver.RawClient;
import dev.holdfast.systemtests.driver.RawConnection;
import java.time.Duration;
import org.awaitility.Awaitility;

/** Asks for an identity that somebody still holds, again and again. */
public final class Takeover {
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private Takeover() {}

  /** Connects every few milliseconds until the identity is held. */
  public static RawConnection connect(RawClient client, Principal principal) {
    return Awaitility.await("the identity")
        .pollDelay(Duration.ZERO)
        .pollInterval(Duration.ofMillis(5))
        .atMost(PATIENCE)
        .until(() -> client.connect(principal), RawConnection::isHeld);
  }
}
