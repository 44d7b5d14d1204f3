package dev.holdfast.systemtests;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import dev.holdfast.protocol.gateway.v1.Message;
import dev.holdfast.protocol.gateway.v1.Receipt;
import dev.holdfast.systemtests.driver.Principals;
import dev.holdfast.systemtests.driver.RawConnection;
import dev.holdfast.systemtests.harness.GatewayProcess;
import dev.holdfast.systemtests.suite.Clients;
import dev.holdfast.systemtests.suite.SharedCluster;
import dev.holdfast.systemtests.suite.Suite;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Messages from identity to identity, on one gateway and between two. */
@ExtendWith(Suite.class)
final class MessageIT {
  private static final int COUNT = 1_000;

  /** Below the gateway's own bound of messages that may be under way. */
  private static final int WINDOW = 100;

  @AutoClose private final Clients clients = new Clients();
  private final SharedCluster cluster;

  MessageIT(SharedCluster cluster) {
    this.cluster = cluster;
  }

  @Test
  void thousandMessages_betweenTwoGateways_arriveInOrderWithAReceiptEach() {
    sendThousand(agentOn(cluster.first()), agentOn(cluster.second()));
  }

  @Test
  void thousandMessages_withinOneGateway_arriveInOrderWithAReceiptEach() {
    sendThousand(agentOn(cluster.first()), agentOn(cluster.first()));
  }

  @Test
  void message_tellsTheReceiverWhoSentIt() {
    RawConnection sender = agentOn(cluster.first());
    RawConnection receiver = agentOn(cluster.second());

    sender.message("m-1", receiver.ack().getIdentity(), "hello");

    Message message = receiver.received("m-1");
    assertThat(message.getFrom()).isEqualTo(sender.ack().getIdentity());
    assertThat(message.getSenderFencingToken()).isEqualTo(sender.ack().getFencingToken());
    assertThat(message.getPayload().toStringUtf8()).isEqualTo("hello");
    assertThat(message.getContentType()).isEqualTo("text/plain");
    assertThat(sender.receipt("m-1").hasAccepted()).isTrue();
  }

  @Test
  void message_toOneself_arrives() {
    RawConnection agent = agentOn(cluster.first());

    agent.message("m-1", agent.ack().getIdentity(), "note");

    assertThat(agent.received("m-1").getFrom()).isEqualTo(agent.ack().getIdentity());
  }

  @Test
  void message_ofTheLargestSize_arrivesOnTheOtherGateway() {
    RawConnection sender = agentOn(cluster.first());
    RawConnection receiver = agentOn(cluster.second());
    ByteString largest = ByteString.copyFrom(new byte[SharedCluster.MAX_PAYLOAD_BYTES]);

    sender.message("m-1", receiver.ack().getIdentity(), largest);

    assertThat(receiver.received("m-1").getPayload()).isEqualTo(largest);
  }

  @Test
  void message_thatIsTooLarge_isRejectedAndTheConnectionLives() {
    RawConnection sender = agentOn(cluster.first());
    RawConnection receiver = agentOn(cluster.second());
    ByteString tooLarge = ByteString.copyFrom(new byte[SharedCluster.MAX_PAYLOAD_BYTES + 1]);

    sender.message("m-1", receiver.ack().getIdentity(), tooLarge);
    sender.message("m-2", receiver.ack().getIdentity(), "small");

    assertRejected(sender.receipt("m-1"), "TOO_LARGE");
    assertThat(sender.receipt("m-1").getRejected().hasRetryAfter()).isFalse();
    assertThat(sender.receipt("m-2").hasAccepted()).isTrue();
  }

  @Test
  void message_toNobody_isRejectedWithWhenToTryAgain() {
    RawConnection sender = agentOn(cluster.first());

    sender.message("m-1", "agent/acme/nobody/1", "hello");

    assertRejected(sender.receipt("m-1"), "NOT_CONNECTED");
    assertThat(sender.receipt("m-1").getRejected().hasRetryAfter()).isTrue();
    assertThat(sender.receipt("m-1").getRejected().getMessage()).contains("agent/acme/nobody/1");
  }

  @Test
  void message_withoutUsableReceiverOrId_isRejectedAndTheConnectionLives() {
    RawConnection sender = agentOn(cluster.first());
    String self = sender.ack().getIdentity();

    sender.message("m-1", "no identity", "hello").message("", self, "hello");
    sender.message("m-3", self, "hello");

    assertRejected(sender.receipt("m-1"), "INVALID_MESSAGE");
    assertRejected(sender.receipt(""), "INVALID_MESSAGE");
    assertThat(sender.receipt("m-3").hasAccepted()).isTrue();
  }

  /** Receipts come in the order of sending, whatever became of the messages. */
  @Test
  void receipts_comeInTheOrderOfSending() {
    RawConnection sender = agentOn(cluster.first());
    String here = agentOn(cluster.first()).ack().getIdentity();
    String there = agentOn(cluster.second()).ack().getIdentity();
    List<String> targets = List.of(here, there, "agent/acme/nobody/1", there, here, "no identity");

    IntStream.range(0, targets.size())
        .forEach(i -> sender.message("m-" + i, targets.get(i), "hello"));

    sender.receipt("m-5");
    assertThat(receiptIds(sender)).containsExactly("m-0", "m-1", "m-2", "m-3", "m-4", "m-5");
  }

  private RawConnection agentOn(GatewayProcess gateway) {
    return clients.to(gateway).connect(Principals.freshAgent()).held();
  }

  private static void sendThousand(RawConnection sender, RawConnection receiver) {
    String to = receiver.ack().getIdentity();
    for (int i = 0; i < COUNT; i++) {
      if (i >= WINDOW) {
        assertThat(sender.receipt("m-" + (i - WINDOW)).hasAccepted()).isTrue();
      }
      sender.message("m-" + i, to, "text " + i);
    }
    receiver.received("m-" + (COUNT - 1));
    sender.receipt("m-" + (COUNT - 1));
    List<String> inOrder = IntStream.range(0, COUNT).mapToObj(i -> "m-" + i).toList();
    assertThat(receiver.messages().stream().map(Message::getCorrelationId)).isEqualTo(inOrder);
    assertThat(receiptIds(sender)).isEqualTo(inOrder);
  }

  private static List<String> receiptIds(RawConnection sender) {
    return sender.frames().stream()
        .filter(frame -> frame.hasReceipt())
        .map(frame -> frame.getReceipt().getCorrelationId())
        .toList();
  }

  private static void assertRejected(Receipt receipt, String reason) {
    assertThat(receipt.hasRejected()).isTrue();
    assertThat(receipt.getRejected().getReason()).isEqualTo(reason);
  }
}
