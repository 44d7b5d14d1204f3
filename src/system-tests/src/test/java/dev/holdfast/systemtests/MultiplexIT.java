package dev.holdfast.systemtests;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import dev.holdfast.protocol.gateway.v1.InitConnection;
import dev.holdfast.systemtests.driver.Admin;
import dev.holdfast.systemtests.driver.Principals;
import dev.holdfast.systemtests.driver.RawClient;
import dev.holdfast.systemtests.driver.RawConnection;
import dev.holdfast.systemtests.driver.Scrape;
import dev.holdfast.systemtests.suite.Clients;
import dev.holdfast.systemtests.suite.Flood;
import dev.holdfast.systemtests.suite.SharedCluster;
import dev.holdfast.systemtests.suite.Suite;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Hundreds of identities over one HTTP/2 connection. */
@ExtendWith(Suite.class)
final class MultiplexIT {
  private static final int STREAMS = 300;

  @AutoClose private final Clients clients = new Clients();
  private final SharedCluster cluster;

  MultiplexIT(SharedCluster cluster) {
    this.cluster = cluster;
  }

  /** A client that cancels hundreds of streams, at once or held, leaves none of them behind. */
  @Test
  void f19_hundredsOfCancelledStreams_leaveNeitherConnectionNorLock() {
    Admin admin = new Admin(cluster.second());
    double before = Scrape.of(admin).sum("holdfast_connections_active");
    RawClient client = clients.to(cluster.second());
    List<RawConnection> held = connect(client, "f19-held-", STREAMS);
    held.forEach(RawConnection::ack);

    List<RawConnection> early = connect(client, "f19-early-", STREAMS);
    early.forEach(RawConnection::cancel);
    held.forEach(RawConnection::cancel);

    Awaitility.await("no connection left")
        .atMost(Duration.ofSeconds(15))
        .until(() -> Scrape.of(admin).sum("holdfast_connections_active") <= before);
    Awaitility.await("no lock left")
        .atMost(Duration.ofSeconds(15))
        .until(() -> cluster.redis().command("KEYS", "holdfast:{agent/acme/f19-*}:lock").isEmpty());
    connect(client, "f19-held-", 5).forEach(RawConnection::ack);
  }

  /** One of hundreds of identities does not read; all the others talk as before. */
  @Test
  void f20_oneOfHundredsOfIdentitiesDoesNotRead_othersAreNotHeldUp() {
    RawClient client = clients.to(cluster.first());
    List<RawConnection> others = connect(client, "f20-", STREAMS);
    others.forEach(RawConnection::ack);
    RawConnection slow = client.connect(withCredit(2));
    RawConnection sender = clients.to(cluster.second()).connect(Principals.freshAgent()).held();

    Flood.fill(sender, slow.ack().getIdentity(), ByteString.copyFrom(new byte[1024]));

    others.forEach(to -> sender.message("to-all", to.ack().getIdentity(), "hello"));
    others.forEach(to -> to.received("to-all"));
    others.get(0).message("to-other", others.get(1).ack().getIdentity(), "hello");
    assertThat(others.get(0).receipt("to-other").hasAccepted()).isTrue();
    assertThat(slow.messages()).hasSize(2);
    slow.grant(3);
    slow.received(Flood.id(4));
    assertThat(slow.messages()).hasSize(5);
  }

  private static InitConnection withCredit(int messages) {
    return InitConnection.newBuilder()
        .setPrincipal(Principals.freshAgent())
        .setMessageCredit(messages)
        .build();
  }

  private static List<RawConnection> connect(RawClient client, String prefix, int count) {
    return IntStream.range(0, count)
        .mapToObj(i -> client.connect(Principals.agent("acme", prefix + i, "1")))
        .toList();
  }
}
