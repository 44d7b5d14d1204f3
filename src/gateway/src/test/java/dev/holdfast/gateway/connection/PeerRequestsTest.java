package dev.holdfast.gateway.connection;

import static dev.holdfast.gateway.connection.Gateway.identity;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import dev.holdfast.gateway.connection.Gateway.Client;
import dev.holdfast.gateway.error.GatewayError;
import dev.holdfast.protocol.peer.v1.CloseConnection;
import dev.holdfast.protocol.peer.v1.ConnectionInfo;
import dev.holdfast.protocol.peer.v1.Deliver;
import dev.holdfast.protocol.peer.v1.ListConnections;
import dev.holdfast.protocol.peer.v1.PeerReply;
import dev.holdfast.protocol.peer.v1.PeerRequest;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

final class PeerRequestsTest {
  private final Gateway gateway = new Gateway(Map.of("holdfast.message.queue-capacity", "1"));
  private final PeerRequests requests = new PeerRequests(gateway.registry);

  @Test
  void deliver_held_reachesTheClient() {
    Client client = gateway.connect("a");

    PeerReply reply = ask(deliver("agent/acme/builder/a")).join();

    assertThat(reply.getDeliver().getReason()).isEmpty();
    assertThat(client.last().getMessage().getFrom()).isEqualTo("agent/acme/builder/b");
    assertThat(client.last().getMessage().getSenderFencingToken()).isEqualTo(9);
    assertThat(client.last().getMessage().getCorrelationId()).isEqualTo("m1");
    assertThat(client.last().getMessage().getPayload().toStringUtf8()).isEqualTo("hello");
  }

  @Test
  void deliver_unknown_isNotConnected() {
    assertThat(ask(deliver("agent/acme/builder/a")).join().getDeliver().getReason())
        .isEqualTo("NOT_CONNECTED");
  }

  @Test
  void deliver_readsTooSlowly_isOverloaded() {
    gateway.connect("a").stream().setReady(false);
    assertThat(ask(deliver("agent/acme/builder/a"))).isCompleted();

    assertThat(ask(deliver("agent/acme/builder/a")).join().getDeliver().getReason())
        .isEqualTo("OVERLOADED");
  }

  @Test
  void list_allOrOne_tellsWhoIsHere() {
    Client a = gateway.connect("a");
    gateway.connect("b");

    assertThat(list("")).hasSize(2);
    assertThat(list(a.session().value()))
        .singleElement()
        .extracting(ConnectionInfo::getIdentity)
        .isEqualTo("agent/acme/builder/a");
    assertThat(list("nonsense")).isEmpty();
  }

  @Test
  void close_held_answersAfterTheRelease() {
    Client client = gateway.connect("a");
    gateway.locks.holdBackAnswers(true);

    CompletableFuture<PeerReply> reply =
        ask(
            close(
                client.session().value(),
                dev.holdfast.protocol.peer.v1.CloseCause.CLOSE_CAUSE_SUPERSEDED));

    assertThat(client.stream().reason()).isEqualTo(GatewayError.SUPERSEDED);
    assertThat(reply).isNotDone();
    gateway.locks.answerNext();
    assertThat(reply.join().getCloseConnection().getFound()).isTrue();
    assertThat(reply.join().getCloseConnection().getReleased()).isTrue();
    assertThat(gateway.locks.holder(identity("a"))).isNull();
  }

  @Test
  void close_unknown_saysSo() {
    Client gone = gateway.connect("a");
    gone.connection().halfClosed();

    assertThat(
            ask(close(
                    gone.session().value(),
                    dev.holdfast.protocol.peer.v1.CloseCause.CLOSE_CAUSE_FORCE_DISCONNECT))
                .join()
                .getCloseConnection()
                .getFound())
        .isFalse();
  }

  @Test
  void handle_unknownKind_isAFailure() {
    assertThat(ask(PeerRequest.getDefaultInstance()).join().getFailure()).isNotEmpty();
  }

  private CompletableFuture<PeerReply> ask(PeerRequest request) {
    return requests.handle(request).toCompletableFuture();
  }

  private List<ConnectionInfo> list(String session) {
    return ask(PeerRequest.newBuilder()
            .setListConnections(ListConnections.newBuilder().setSessionId(session))
            .build())
        .join()
        .getListConnections()
        .getConnectionsList();
  }

  private static PeerRequest deliver(String to) {
    return PeerRequest.newBuilder()
        .setDeliver(
            Deliver.newBuilder()
                .setTo(to)
                .setFrom("agent/acme/builder/b")
                .setSenderFencingToken(9)
                .setCorrelationId("m1")
                .setPayload(ByteString.copyFromUtf8("hello")))
        .build();
  }

  private static PeerRequest close(String session, dev.holdfast.protocol.peer.v1.CloseCause cause) {
    return PeerRequest.newBuilder()
        .setCloseConnection(
            CloseConnection.newBuilder().setSessionId(session).setCause(cause).setDetail("why"))
        .build();
  }
}
