package dev.holdfast.systemtests;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.protocol.gateway.v1.ConnectRequest;
import dev.holdfast.protocol.gateway.v1.GrantCredit;
import dev.holdfast.protocol.gateway.v1.InitConnection;
import dev.holdfast.protocol.gateway.v1.Principal;
import dev.holdfast.systemtests.driver.End;
import dev.holdfast.systemtests.driver.Principals;
import dev.holdfast.systemtests.driver.RawClient;
import dev.holdfast.systemtests.driver.RawConnection;
import dev.holdfast.systemtests.suite.Clients;
import dev.holdfast.systemtests.suite.SharedCluster;
import dev.holdfast.systemtests.suite.Suite;
import io.grpc.Status;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Clients that do not keep to the protocol are told what was wrong, and lose what they held. */
@ExtendWith(Suite.class)
final class ProtocolErrorIT {
  private static final byte[] NO_PROTOBUF = "no protobuf".getBytes(StandardCharsets.US_ASCII);

  @AutoClose private final Clients clients = new Clients();
  private final SharedCluster cluster;
  private final RawClient client;

  ProtocolErrorIT(SharedCluster cluster) {
    this.cluster = cluster;
    this.client = clients.to(cluster.first());
  }

  @Test
  void firstFrame_thatIsNotInit_isRefused() {
    ConnectRequest grant =
        ConnectRequest.newBuilder().setGrant(GrantCredit.newBuilder().setMessages(1)).build();

    assertEnd(client.open().send(grant), Status.Code.INVALID_ARGUMENT, "FIRST_FRAME_NOT_INIT");
  }

  @Test
  void firstFrame_thatIsNoProtobuf_isRefused() {
    assertEnd(client.open().bytes(NO_PROTOBUF), Status.Code.INVALID_ARGUMENT, "MALFORMED_FRAME");
  }

  @Test
  void firstFrame_ofNoKnownKind_isRefused() {
    assertEnd(client.open().bytes(new byte[0]), Status.Code.INVALID_ARGUMENT, "MALFORMED_FRAME");
  }

  @Test
  void firstFrame_thatIsTooLarge_isRefused() {
    byte[] large = new byte[8 * 1024 * 1024];

    assertEnd(client.open().bytes(large), Status.Code.RESOURCE_EXHAUSTED, "FRAME_TOO_LARGE");
  }

  @Test
  void firstFrame_thatDoesNotCome_endsTheStreamAfterTheTimeLimit() {
    long start = System.nanoTime();

    End end = client.open().end();

    assertThat(end.code()).isEqualTo(Status.Code.DEADLINE_EXCEEDED);
    assertThat(end.reason()).isEqualTo("INIT_TIMEOUT");
    assertThat(Duration.ofNanos(end.nanos() - start))
        .isBetween(Duration.ofMillis(900), Duration.ofSeconds(4));
  }

  @Test
  void secondInit_endsTheConnectionAndFreesTheIdentity() {
    Principal agent = Principals.freshAgent();
    RawConnection held = client.connect(agent).held();

    held.init(InitConnection.newBuilder().setPrincipal(agent).build());

    assertEnd(held, Status.Code.INVALID_ARGUMENT, "DUPLICATE_INIT");
    assertFreed(held);
  }

  @Test
  void laterFrame_thatIsNoProtobuf_endsTheConnectionAndFreesTheIdentity() {
    RawConnection held = client.connect(Principals.freshAgent()).held();

    assertEnd(held.bytes(NO_PROTOBUF), Status.Code.INVALID_ARGUMENT, "MALFORMED_FRAME");
    assertFreed(held);
  }

  @Test
  void laterFrame_thatIsTooLarge_endsTheConnectionAndFreesTheIdentity() {
    RawConnection held = client.connect(Principals.freshAgent()).held();

    held.bytes(new byte[8 * 1024 * 1024]);

    assertEnd(held, Status.Code.RESOURCE_EXHAUSTED, "FRAME_TOO_LARGE");
    assertFreed(held);
  }

  @Test
  void resumeSessionId_thatIsNone_isRefused() {
    RawConnection refused = client.resume(Principals.freshAgent(), "conn-7");

    assertEnd(refused, Status.Code.INVALID_ARGUMENT, "INVALID_INIT");
  }

  @Test
  void assignedId_withoutSession_isRefused() {
    RawConnection refused = client.connect(Principals.task("acme", "index", "0".repeat(32)));

    assertEnd(refused, Status.Code.INVALID_ARGUMENT, "INVALID_INIT");
  }

  @Test
  void clientAgent_thatIsTooLong_isRefused() {
    InitConnection init =
        InitConnection.newBuilder()
            .setPrincipal(Principals.freshAgent())
            .setClientAgent("x".repeat(101))
            .build();

    assertEnd(client.connect(init), Status.Code.INVALID_ARGUMENT, "INVALID_INIT");
  }

  private static void assertEnd(RawConnection connection, Status.Code code, String reason) {
    End end = connection.end();
    assertThat(end.reason()).as(end.toString()).isEqualTo(reason);
    assertThat(end.code()).isEqualTo(code);
    assertThat(end.info().orElseThrow().getDomain()).isEqualTo("holdfast.dev");
    assertThat(end.status().getDescription()).isNotEmpty();
  }

  private void assertFreed(RawConnection connection) {
    Awaitility.await()
        .atMost(Duration.ofSeconds(5))
        .until(() -> !cluster.locks().isHeld(connection.ack().getIdentity()));
  }
}
