package dev.holdfast.gateway.connection;

import static dev.holdfast.gateway.connection.Gateway.identity;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.gateway.lock.LockKey;
import dev.holdfast.gateway.lock.LossCause;
import dev.holdfast.gateway.telemetry.Meter;
import dev.holdfast.protocol.gateway.v1.ConnectResponse;
import io.grpc.ManagedChannel;
import io.grpc.Status;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The endpoint on grpc-java's real Netty transport. */
@Timeout(60)
final class ConnectEndpointTest {
  private static final Duration LIMIT = Duration.ofSeconds(20);

  private NettyGateway gateway;
  private ManagedChannel channel;

  @BeforeEach
  void start() throws Exception {
    gateway = new NettyGateway(Map.of());
    channel = WireClient.channel(gateway.port());
  }

  @AfterEach
  void stop() throws Exception {
    channel.shutdownNow();
    gateway.close();
  }

  @Test
  void connect_held_isRefusedWithTypedDetails() throws Exception {
    WireClient.hold(channel, "a");
    WireClient second = WireClient.open(channel);
    second.init("a");
    second.read(1);

    WireClient.End end = second.end();

    assertThat(end.status().getCode()).isEqualTo(Status.Code.ALREADY_EXISTS);
    assertThat(end.errorInfo().getReason()).isEqualTo("DUPLICATE_IDENTITY");
    assertThat(end.errorInfo().getMetadataMap())
        .containsKeys("held_since")
        .containsEntry("identity", "agent/acme/builder/a");
    assertThat(end.retryInfo().getRetryDelay().getSeconds()).isEqualTo(17);
  }

  @Test
  void message_betweenTwoStreams_arrivesWithReceipt() throws Exception {
    WireClient a = WireClient.hold(channel, "a");
    WireClient b = WireClient.hold(channel, "b");

    a.send(Gateway.message("m1", "agent/acme/builder/b", 1000));
    a.read(1);
    b.read(1);

    ConnectResponse message = b.next();
    assertThat(message.getMessage().getFrom()).isEqualTo("agent/acme/builder/a");
    assertThat(message.getMessage().getSenderFencingToken()).isEqualTo(1);
    assertThat(message.getMessage().getPayload().size()).isEqualTo(1000);
    assertThat(a.next().getReceipt().hasAccepted()).isTrue();
  }

  @Test
  void halfClose_endsWithOkAfterTheRelease() throws Exception {
    WireClient client = WireClient.hold(channel, "a");

    client.halfClose();

    assertThat(client.end().status().getCode()).isEqualTo(Status.Code.OK);
    assertThat(gateway.locks.holder(identity("a"))).isNull();
  }

  @Test
  void cancel_isNamedClientCancelled() throws Exception {
    WireClient client = WireClient.hold(channel, "a");

    client.cancel();

    assertEndedFor(CloseCause.CLIENT_CANCELLED);
  }

  @Test
  void connectionCut_isNamedConnectionLost() throws Exception {
    try (FreezableProxy network = new FreezableProxy(gateway.port())) {
      ManagedChannel remote = WireClient.channel(network.port());
      WireClient.hold(remote, "a");

      network.cut();

      assertEndedFor(CloseCause.CONNECTION_LOST);
      remote.shutdownNow();
    }
  }

  @Test
  void connectionSilent_isNamedKeepaliveTimeout() throws Exception {
    try (FreezableProxy network = new FreezableProxy(gateway.port())) {
      ManagedChannel remote = WireClient.channel(network.port());
      WireClient.hold(remote, "a");

      network.freeze();

      assertEndedFor(CloseCause.KEEPALIVE_TIMEOUT);
      remote.shutdownNow();
    }
  }

  @Test
  void malformedBytes_areToldAsSuch() throws Exception {
    WireClient client = WireClient.hold(channel, "a");
    client.read(1);

    client.sendBytes(new byte[] {10, 100, 1});

    WireClient.End end = client.end();
    assertThat(end.status().getCode()).isEqualTo(Status.Code.INVALID_ARGUMENT);
    assertThat(end.errorInfo().getReason()).isEqualTo("MALFORMED_FRAME");
    assertThat(gateway.locks.awaitFree(identity("a"), LIMIT)).isTrue();
  }

  @Test
  void hugeFrame_isRefusedWhileItArrives() throws Exception {
    WireClient client = WireClient.hold(channel, "a");
    client.read(1);

    client.sendBytes(new byte[16 * 1024 * 1024]);

    WireClient.End end = client.end();
    assertThat(end.status().getCode()).isEqualTo(Status.Code.RESOURCE_EXHAUSTED);
    assertThat(end.errorInfo().getReason()).isEqualTo("FRAME_TOO_LARGE");
    assertThat(gateway.locks.awaitFree(identity("a"), LIMIT)).isTrue();
  }

  @Test
  void hugeFirstFrame_isRefused() throws Exception {
    WireClient client = WireClient.open(channel);
    client.read(1);

    client.sendBytes(new byte[Connections.maxFrameBytes(gateway.core.config) + 1]);

    assertThat(client.end().errorInfo().getReason()).isEqualTo("FRAME_TOO_LARGE");
  }

  @Test
  void compressedBomb_isRefusedWithoutBeingInflated() throws Exception {
    WireClient client = WireClient.openCompressed(channel);
    client.read(1);

    client.sendBytes(new byte[64 * 1024 * 1024]);

    assertThat(client.end().errorInfo().getReason()).isEqualTo("FRAME_TOO_LARGE");
  }

  @Test
  void firstFrameLate_timesOut() throws Exception {
    try (NettyGateway strict =
        new NettyGateway(Map.of("holdfast.connection.init-timeout", "100ms"))) {
      ManagedChannel other = WireClient.channel(strict.port());
      WireClient client = WireClient.open(other);
      client.read(1);

      assertThat(client.end().errorInfo().getReason()).isEqualTo("INIT_TIMEOUT");
      other.shutdownNow();
    }
  }

  /** F39: the client never sends again, nor half-closes. */
  @Test
  void f39_kickedClientThatNeverSends_streamEndsOnBothSides() throws Exception {
    WireClient client = WireClient.hold(channel, "a");
    client.read(1);

    kick();

    WireClient.End end = client.end();
    assertThat(end.status().getCode()).isEqualTo(Status.Code.ABORTED);
    assertThat(end.errorInfo().getReason()).isEqualTo("FORCE_DISCONNECT");
    assertThat(streamClosed().getCode()).isEqualTo(Status.Code.ABORTED);
    assertThat(gateway.locks.holder(identity("a"))).isNull();
  }

  /** F39, the hard case: its flow-control window is full, so even the trailers cannot be sent. */
  @Test
  void f39_clientThatNeverReads_lockIsReleasedAtOnceAndTheStreamIsReset() throws Exception {
    WireClient stuck = WireClient.hold(channel, "a");
    ManagedChannel other = WireClient.channel(gateway.port());
    WireClient sender = WireClient.hold(other, "b");
    fillWindowOf("agent/acme/builder/a", sender);

    lose("a");

    assertThat(gateway.locks.holder(identity("a"))).isNull();
    assertThat(streamClosed().getCode()).isEqualTo(Status.Code.DEADLINE_EXCEEDED);
    stuck.read(Integer.MAX_VALUE);
    assertThat(stuck.end().status().isOk()).isFalse();
    other.shutdownNow();
  }

  /** F18: a reader that never reads: its queue fills, its senders are told, and reading resumes. */
  @Test
  void f18_readerThatNeverReads_overloadsItsSendersOnly() throws Exception {
    WireClient slow = WireClient.hold(channel, "a");
    ManagedChannel other = WireClient.channel(gateway.port());
    WireClient sender = WireClient.hold(other, "b");

    int accepted = fillWindowOf("agent/acme/builder/a", sender);

    assertThat(gateway.core.meters.gauge(Meter.MESSAGE_QUEUE_DEPTH)).isPositive();
    slow.read(Integer.MAX_VALUE);
    for (int i = 0; i < accepted; i++) {
      assertThat(slow.next().getMessage().getCorrelationId()).isEqualTo("m" + i);
    }
    assertThat(gateway.core.meters.gauge(Meter.MESSAGE_QUEUE_DEPTH)).isZero();
    other.shutdownNow();
  }

  /** F19 and F20: hundreds of identities over one HTTP/2 connection, all cancelled at once. */
  @Test
  void f19_f20_hundredsOfStreamsOnOneConnection_areHeldAndReleased() throws Exception {
    List<WireClient> clients = new ArrayList<>();
    for (int i = 0; i < 300; i++) {
      WireClient client = WireClient.open(channel);
      client.init("n" + i);
      client.read(1);
      clients.add(client);
    }
    for (WireClient client : clients) {
      assertThat(client.next().hasAck()).isTrue();
    }
    assertThat(gateway.core.registry.active()).isEqualTo(300);

    clients.forEach(WireClient::cancel);

    for (int i = 0; i < 300; i++) {
      assertThat(gateway.locks.awaitFree(identity("n" + i), LIMIT)).isTrue();
      assertThat(streamClosed().getCode()).isEqualTo(Status.Code.CANCELLED);
    }
    WireClient.hold(channel, "again");
    assertThat(gateway.core.registry.active()).isEqualTo(1);
  }

  private void kick() {
    ConnectionView view = gateway.core.registry.views().get(0);
    assertThat(gateway.core.registry.close(view.session(), CloseCause.FORCE_DISCONNECT, "kicked"))
        .isPresent();
  }

  private void lose(String specifier) {
    LockKey key =
        gateway.core.registry.views().stream()
            .filter(view -> view.identity().equals(identity(specifier)))
            .map(view -> new LockKey(view.identity(), view.session()))
            .findFirst()
            .orElseThrow();
    gateway.core.lease(key).leaseLost(LossCause.NOT_OWNER);
  }

  /** Sends until the receiver's queue is full; returns how many messages were accepted. */
  private static int fillWindowOf(String receiver, WireClient sender) throws Exception {
    sender.read(Integer.MAX_VALUE);
    for (int i = 0; ; i++) {
      sender.send(Gateway.message("m" + i, receiver, 16 * 1024));
      ConnectResponse receipt = sender.next();
      if (!receipt.getReceipt().hasAccepted()) {
        assertThat(receipt.getReceipt().getRejected().getReason()).isEqualTo("OVERLOADED");
        assertThat(receipt.getReceipt().getRejected().hasRetryAfter()).isTrue();
        return i;
      }
    }
  }

  private Status streamClosed() throws InterruptedException {
    Status status = gateway.streamsClosed.poll(LIMIT.toSeconds(), TimeUnit.SECONDS);
    if (status == null) {
      throw new AssertionError("no stream ended");
    }
    return status;
  }

  private void assertEndedFor(CloseCause cause) throws InterruptedException {
    String quota = gateway.core.steps.poll(LIMIT.toSeconds(), TimeUnit.SECONDS);
    String task = gateway.core.steps.poll(LIMIT.toSeconds(), TimeUnit.SECONDS);
    assertThat(quota).startsWith("quota agent/acme/builder/a");
    assertThat(task).isEqualTo("task agent/acme/builder/a " + cause);
    assertThat(TransportEnd.causeOf(streamClosed())).isEqualTo(cause);
    assertThat(gateway.locks.holder(identity("a"))).isNull();
  }
}
