package dev.holdfast.systemtests;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import dev.holdfast.protocol.gateway.v1.ConnectRequest;
import dev.holdfast.protocol.gateway.v1.InitConnection;
import dev.holdfast.protocol.gateway.v1.Principal;
import dev.holdfast.protocol.gateway.v1.Receipt;
import dev.holdfast.systemtests.driver.Admin;
import dev.holdfast.systemtests.driver.Principals;
import dev.holdfast.systemtests.driver.RawClient;
import dev.holdfast.systemtests.driver.RawConnection;
import dev.holdfast.systemtests.driver.Scrape;
import dev.holdfast.systemtests.harness.GatewayProcess;
import dev.holdfast.systemtests.suite.Clients;
import dev.holdfast.systemtests.suite.FaultyCluster;
import dev.holdfast.systemtests.suite.Flood;
import dev.holdfast.systemtests.suite.Suite;
import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A client that holds an identity and never reads, on a gateway with little memory. */
@ExtendWith(Suite.class)
final class SlowReaderIT {
  private static final int HEAP_MEGABYTES = 192;

  /** More than the heap, if nothing were refused. */
  private static final int MESSAGES = 1_000;

  private static final ByteString PAYLOAD = ByteString.copyFrom(new byte[256 * 1024]);

  @AutoClose private final Clients clients = new Clients();
  private final FaultyCluster cluster;

  SlowReaderIT(FaultyCluster cluster) {
    this.cluster = cluster;
  }

  /** Senders are told, memory stays bounded, others are served, and the reader can be ended. */
  @Test
  void f18_readerThatNeverReads_costsItsSendersOnly() {
    try (GatewayProcess small = cluster.another().maxHeapMegabytes(HEAP_MEGABYTES).start()) {
      Admin admin = new Admin(small);
      Principal principal = Principals.freshAgent();
      RawConnection deaf = connectUnread(clients.to(small), principal);
      String identity = identityOf(deaf);
      RawConnection sender = clients.to(small).connect(Principals.freshAgent()).held();

      int accepted = Flood.fill(sender, identity, PAYLOAD);
      assertThat(sendOn(sender, identity)).isLessThan(20);
      assertThat(accepted).isLessThan(HEAP_MEGABYTES * 4 / 2);

      assertOthersAreServed(small);
      assertThat(Scrape.of(admin).sum("holdfast_message_queue_depth")).isPositive();
      assertThat(Scrape.of(admin).sum("holdfast_messages_total", "overloaded"))
          .isGreaterThan(MESSAGES / 2.0);
      assertEndsWhenTold(admin, deaf, principal);
      small.stop();
    }
  }

  private static RawConnection connectUnread(RawClient client, Principal principal) {
    InitConnection init = InitConnection.newBuilder().setPrincipal(principal).build();
    RawConnection deaf = client.openUnread();
    deaf.send(ConnectRequest.newBuilder().setInit(init).build());
    return deaf;
  }

  /** Reads the ack, and nothing after it. */
  private static String identityOf(RawConnection deaf) {
    deaf.read(1);
    return deaf.ack().getIdentity();
  }

  /** Goes on sending, and returns how many more were accepted. */
  private static int sendOn(RawConnection sender, String to) {
    int accepted = 0;
    for (int i = 0; i < MESSAGES; i++) {
      Receipt receipt = sender.message("on-" + i, to, PAYLOAD).receipt("on-" + i);
      accepted += receipt.hasAccepted() ? 1 : 0;
    }
    return accepted;
  }

  private void assertOthersAreServed(GatewayProcess gateway) {
    RawConnection one = clients.to(gateway).connect(Principals.freshAgent()).held();
    RawConnection other = clients.to(gateway).connect(Principals.freshAgent()).held();
    one.message("m-1", other.ack().getIdentity(), PAYLOAD);
    assertThat(other.received("m-1").getPayload()).isEqualTo(PAYLOAD);
  }

  private void assertEndsWhenTold(Admin admin, RawConnection deaf, Principal principal) {
    double droppedBefore = Scrape.of(admin).sum("holdfast_messages_dropped_total");

    assertThat(admin.delete("/api/connections/" + deaf.ack().getSessionId()).status())
        .isBetween(200, 204);

    clients.to(cluster.second()).connect(principal).ack();
    deaf.read(Integer.MAX_VALUE);
    assertThat(deaf.end().status().isOk()).as("%s", deaf.end()).isFalse();
    assertThat(Scrape.of(admin).sum("holdfast_messages_dropped_total"))
        .isGreaterThan(droppedBefore);
    Awaitility.await()
        .atMost(Duration.ofSeconds(5))
        .until(() -> Scrape.of(admin).sum("holdfast_message_queue_depth") == 0);
  }
}
