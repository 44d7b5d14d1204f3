package dev.holdfast.client;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.protocol.gateway.v1.SendMessage;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Messages out with their receipts, messages in with their credit. */
class MessagingTest {
  private static final String PEER = "service/mailer/1";

  private final Rig rig = new Rig();

  @AfterEach
  void tearDown() {
    rig.close();
  }

  @Test
  void send_accepted() {
    Connection connection = rig.held();
    CompletableFuture<Receipt> receipt = send(connection, "m-1");

    SendMessage sent = rig.gateway.newest().sends().get(0);
    assertThat(sent.getTo()).isEqualTo(PEER);
    assertThat(sent.getPayload().toStringUtf8()).isEqualTo("hello");
    assertThat(sent.getContentType()).isEqualTo("text/plain");
    rig.gateway.newest().accept("m-1");
    rig.clock.settle();

    assertThat(receipt.join()).isEqualTo(new Receipt.Accepted("m-1"));
    assertThat(receipt.join().accepted()).isTrue();
  }

  @Test
  void send_rejected_saysWhyAndWhenToRetry() {
    Connection connection = rig.held();
    CompletableFuture<Receipt> receipt = send(connection, "m-1");
    rig.gateway.newest().reject("m-1", "OVERLOADED", Duration.ofMillis(250));
    rig.clock.settle();

    assertThat(receipt.join())
        .isEqualTo(
            new Receipt.Rejected("m-1", "OVERLOADED", "no", Optional.of(Duration.ofMillis(250))));
    assertThat(receipt.join().accepted()).isFalse();
  }

  @Test
  void send_withoutId_choosesUniqueOnes() {
    Connection connection = rig.held();
    var first = connection.send(PEER, new byte[0], "").toCompletableFuture();
    var second = connection.send(PEER, new byte[0], "").toCompletableFuture();

    var sent = rig.gateway.newest().sends();
    assertThat(sent.get(0).getCorrelationId()).isNotEqualTo(sent.get(1).getCorrelationId());
    rig.gateway.newest().accept(sent.get(1).getCorrelationId());
    rig.clock.settle();
    assertThat(first).isNotDone();
    assertThat(second).isDone();
  }

  @Test
  void send_idInUse_isRejected() {
    Connection connection = rig.held();
    assertThat(send(connection, "m-1")).isNotDone();
    CompletableFuture<Receipt> second = send(connection, "m-1");
    rig.clock.settle();

    assertThat(reason(second)).isEqualTo("DUPLICATE_CORRELATION_ID");
    assertThat(rig.gateway.newest().sends()).hasSize(1);
  }

  @Test
  void send_beyondTheLimit_isRejectedAtOnce_untilAReceiptComes() {
    Connection connection = rig.held(rig.options().maxUnreceipted(2).build());
    assertThat(send(connection, "m-1")).isNotDone();
    assertThat(send(connection, "m-2")).isNotDone();
    CompletableFuture<Receipt> tooMany = send(connection, "m-3");
    rig.clock.settle();
    assertThat(reason(tooMany)).isEqualTo("TOO_MANY_UNRECEIPTED");

    rig.gateway.newest().accept("m-1");
    CompletableFuture<Receipt> again = send(connection, "m-3");
    rig.clock.settle();

    assertThat(again).isNotDone();
    assertThat(rig.gateway.newest().sends()).hasSize(3);
  }

  @Test
  void send_payloadTooLarge_isRejectedHere() {
    Connection connection = rig.held();
    CompletableFuture<Receipt> receipt =
        connection.send(PEER, new byte[1_000_001], "").toCompletableFuture();
    rig.clock.settle();

    assertThat(reason(receipt)).isEqualTo("TOO_LARGE");
    assertThat(rig.gateway.newest().sends()).isEmpty();
  }

  @Test
  void send_badArguments_throwNamingTheValue() {
    Connection connection = rig.held();

    assertThatThrownBy(() -> connection.send("", PEER, new byte[0], ""))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("correlationId");
    assertThatThrownBy(() -> connection.send("x".repeat(101), PEER, new byte[0], ""))
        .hasMessageContaining("101");
    assertThatThrownBy(() -> connection.send("id", "a\nb", new byte[0], ""))
        .hasMessageContaining("a\\u000ab");
  }

  @Test
  void streamBreaks_whatWasOnItsWayIsUnknown() {
    Connection connection = rig.held();
    CompletableFuture<Receipt> receipt = send(connection, "m-1");
    rig.gateway.newest().breakDown();
    rig.clock.settle();

    assertThat(reason(receipt)).isEqualTo("DELIVERY_UNKNOWN");
  }

  @Test
  void send_withoutAStream_isNotSent() {
    Connection connection = rig.held(rig.options().maxUnreceipted(1).build());
    rig.gateway.newest().breakDown();
    CompletableFuture<Receipt> first = send(connection, "m-1");
    rig.clock.settle();
    CompletableFuture<Receipt> second = send(connection, "m-2");
    rig.clock.settle();

    assertThat(reason(first)).isEqualTo("NOT_SENT");
    assertThat(reason(second)).isEqualTo("NOT_SENT"); // the first gave its place back
  }

  @Test
  void send_transportFull_waitsForRoom_andIsNotSentIfTheStreamBreaks() {
    rig.gateway.slowToRead = true;
    Connection connection = rig.held();
    CompletableFuture<Receipt> first = send(connection, "m-1");
    CompletableFuture<Receipt> second = send(connection, "m-2");
    CompletableFuture<Receipt> third = send(connection, "m-3");
    assertThat(rig.gateway.newest().sends()).isEmpty();

    rig.gateway.newest().responses.request(1);
    assertThat(rig.gateway.newest().sends()).hasSize(1);
    rig.gateway.newest().responses.request(1);
    assertThat(rig.gateway.newest().sends())
        .extracting(SendMessage::getCorrelationId)
        .containsExactly("m-1", "m-2");
    rig.gateway.newest().breakDown();
    rig.clock.settle();

    assertThat(reason(first)).isEqualTo("DELIVERY_UNKNOWN");
    assertThat(reason(second)).isEqualTo("DELIVERY_UNKNOWN");
    assertThat(reason(third)).isEqualTo("NOT_SENT");
  }

  @Test
  void close_rejectsWhatHasNoReceipt() {
    Connection connection = rig.held();
    CompletableFuture<Receipt> receipt = send(connection, "m-1");
    connection.closeAsync();
    rig.clock.settle();

    assertThat(reason(receipt)).isEqualTo("DELIVERY_UNKNOWN");
  }

  @Test
  void message_arrivesWithAllItsParts() {
    rig.held();
    rig.gateway.newest().message(PEER, 77, "c-1", "hi".getBytes(UTF_8));
    rig.clock.settle();

    ReceivedMessage message = rig.listener.messages.get(0);
    assertThat(message.from()).isEqualTo(PEER);
    assertThat(message.correlationId()).isEqualTo("c-1");
    assertThat(message.senderFencingToken()).isEqualTo(77);
    assertThat(message.payload()).isEqualTo("hi".getBytes(UTF_8));
    assertThat(message.payloadBuffer().remaining()).isEqualTo(2);
    assertThat(message.payloadText()).isEqualTo("hi");
    assertThat(message.contentType()).isEqualTo("text/plain");
    assertThat(message).hasToString("message c-1 from " + PEER + " (2 bytes, token 77)");
  }

  @Test
  void message_ofAFencedSender_isDroppedCountedAndTold() {
    Connection connection = rig.held();
    rig.gateway.newest().message(PEER, 77, "new", new byte[0]);
    rig.gateway.newest().message(PEER, 76, "old", new byte[0]);
    rig.gateway.newest().message("service/other/1", 3, "other", new byte[0]);
    rig.clock.settle();

    assertThat(rig.listener.messages)
        .extracting(ReceivedMessage::correlationId)
        .containsExactly("new", "other");
    assertThat(rig.listener.stale).containsExactly("old after 77");
    assertThat(connection.staleMessages()).isEqualTo(1);
  }

  @Test
  void credit_isGrantedAsTheListenerConsumes() {
    rig.held(rig.options().inboxCapacity(4).build());
    ScriptedGateway.Stream stream = rig.gateway.newest();
    stream.message(PEER, 1, "a", new byte[0]);
    stream.message(PEER, 1, "b", new byte[0]);
    stream.message(PEER, 1, "c", new byte[0]);
    assertThat(stream.granted()).isZero();

    rig.clock.settle();

    assertThat(rig.listener.messages).hasSize(3);
    assertThat(stream.granted()).isEqualTo(2); // half at a time: the third waits for a fourth
  }

  @Test
  void credit_ofOne_isGrantedOneByOne() {
    rig.held(rig.options().inboxCapacity(1).build());
    rig.gateway.newest().message(PEER, 1, "a", new byte[0]);
    rig.clock.settle();
    rig.gateway.newest().message(PEER, 1, "b", new byte[0]);
    rig.clock.settle();

    assertThat(rig.gateway.newest().granted()).isEqualTo(2);
  }

  @Test
  void credit_ofTheNextStream_leavesRoomForWhatStillWaits() {
    rig.held(rig.options().inboxCapacity(4).build());
    ScriptedGateway.Stream first = rig.gateway.newest();
    rig.applicationIsBusy = true;
    for (String id : new String[] {"a", "b", "c"}) {
      first.message(PEER, 1, id, new byte[0]);
    }
    first.breakDown();
    rig.advance(Duration.ofMillis(500));
    ScriptedGateway.Stream second = rig.gateway.newest();
    assertThat(second.init().getMessageCredit()).isEqualTo(1);

    second.ack("s2", 11, true);
    second.message(PEER, 1, "d", new byte[0]);
    rig.applicationIsBack();

    assertThat(rig.listener.messages).hasSize(4);
    assertThat(second.granted()).isEqualTo(4);
  }

  private CompletableFuture<Receipt> send(Connection connection, String id) {
    return connection.send(id, PEER, "hello".getBytes(UTF_8), "text/plain").toCompletableFuture();
  }

  private static String reason(CompletableFuture<Receipt> receipt) {
    return ((Receipt.Rejected) receipt.join()).reason();
  }
}
