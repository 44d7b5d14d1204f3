package dev.holdfast.gateway.admin;

import dev.holdfast.gateway.cluster.GatewayRecord;
import dev.holdfast.gateway.cluster.PeerBus;
import dev.holdfast.gateway.cluster.PeerHandler;
import dev.holdfast.gateway.cluster.Self;
import dev.holdfast.gateway.error.GatewayError;
import dev.holdfast.gateway.error.GatewayException;
import dev.holdfast.gateway.identity.ConnectionId;
import dev.holdfast.protocol.peer.v1.CloseCause;
import dev.holdfast.protocol.peer.v1.CloseConnection;
import dev.holdfast.protocol.peer.v1.CloseResult;
import dev.holdfast.protocol.peer.v1.ConnectionInfo;
import dev.holdfast.protocol.peer.v1.ListConnections;
import dev.holdfast.protocol.peer.v1.PeerReply;
import dev.holdfast.protocol.peer.v1.PeerRequest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/**
 * The connections of the whole deployment: this gateway answers for its own, every other live one
 * is asked.
 *
 * <p>Thread-safe, never blocks. Stages complete on a thread that must not be blocked, within the
 * time limit of the administration and the look-up of the live gateways.
 */
public final class ClusterConnections {
  private static final Duration RETRY_AFTER = Duration.ofSeconds(1);

  private final Self self;
  private final Supplier<CompletionStage<List<GatewayRecord>>> liveGateways;
  private final PeerBus bus;
  private final PeerHandler local;
  private final Duration timeout;

  /**
   * Makes the view from one gateway.
   *
   * @param liveGateways looks up the live gateways, with or without this one
   * @param local answers for this gateway
   * @param timeout how long others may take to answer
   */
  public ClusterConnections(
      Self self,
      Supplier<CompletionStage<List<GatewayRecord>>> liveGateways,
      PeerBus bus,
      PeerHandler local,
      Duration timeout) {
    this.self = self;
    this.liveGateways = liveGateways;
    this.bus = bus;
    this.local = local;
    this.timeout = timeout;
  }

  /**
   * Connections, and who could not be asked for them.
   *
   * @param unreachableGateways the ids of live gateways that did not answer
   */
  public record Listing(List<ConnectionInfo> connections, List<String> unreachableGateways) {
    public Listing {
      connections = List.copyOf(connections);
      unreachableGateways = List.copyOf(unreachableGateways);
    }
  }

  /** Returns this gateway. */
  public Self self() {
    return self;
  }

  /** Lists the live gateways. */
  public CompletionStage<List<GatewayRecord>> gateways() {
    return liveGateways.get();
  }

  /** Lists every connection, in no particular order. */
  public CompletionStage<Listing> list() {
    return list("");
  }

  /**
   * Finds one connection.
   *
   * @return fails with {@code CONNECTION_NOT_FOUND}, or with {@code GATEWAY_UNREACHABLE} if a
   *     gateway that may have it did not answer
   */
  public CompletionStage<ConnectionInfo> find(ConnectionId session) {
    return list(session.value())
        .thenApply(
            listing ->
                listing.connections().stream()
                    .findFirst()
                    .orElseThrow(() -> notFound(session, listing.unreachableGateways())));
  }

  /**
   * Ends one connection.
   *
   * @param detail why, in words, for the client and the log
   * @return completes when its lock is released; fails as {@link #find} does, and with {@code
   *     LOCK_STORE_UNAVAILABLE} if the stream has ended but Redis did not confirm the release
   */
  public CompletionStage<Void> close(ConnectionId session, String detail) {
    PeerRequest request =
        PeerRequest.newBuilder()
            .setCloseConnection(
                CloseConnection.newBuilder()
                    .setSessionId(session.value())
                    .setCause(CloseCause.CLOSE_CAUSE_FORCE_DISCONNECT)
                    .setDetail(detail))
            .build();
    return askAll(request).thenAccept(answers -> checkClosed(session, answers));
  }

  private static void checkClosed(ConnectionId session, Answers answers) {
    CloseResult result =
        answers.replies().stream()
            .map(PeerReply::getCloseConnection)
            .filter(CloseResult::getFound)
            .findFirst()
            .orElseThrow(() -> notFound(session, answers.unreachable()));
    if (!result.getReleased()) {
      throw new GatewayException(
          GatewayError.LOCK_STORE_UNAVAILABLE,
          "%s is closed, but Redis did not confirm that its lock is released.".formatted(session),
          RETRY_AFTER);
    }
  }

  private CompletionStage<Listing> list(String session) {
    PeerRequest request =
        PeerRequest.newBuilder()
            .setListConnections(ListConnections.newBuilder().setSessionId(session))
            .build();
    return askAll(request)
        .thenApply(
            answers ->
                new Listing(
                    answers.replies().stream()
                        .flatMap(reply -> reply.getListConnections().getConnectionsList().stream())
                        .toList(),
                    answers.unreachable()));
  }

  private CompletionStage<Answers> askAll(PeerRequest request) {
    return liveGateways.get().thenCompose(live -> askAll(live, request));
  }

  private CompletionStage<Answers> askAll(List<GatewayRecord> live, PeerRequest request) {
    Answers answers = new Answers(new ArrayList<>(), new ArrayList<>());
    List<CompletableFuture<?>> asked = new ArrayList<>();
    asked.add(answers.collect(self.id(), local.handle(request)));
    for (GatewayRecord gateway : live) {
      if (!gateway.epoch().equals(self.epoch())) {
        asked.add(
            answers.collect(
                gateway.id(), bus.ask(gateway.id(), gateway.epoch(), request, timeout)));
      }
    }
    return CompletableFuture.allOf(asked.toArray(new CompletableFuture<?>[0]))
        .thenApply(done -> answers);
  }

  private static GatewayException notFound(ConnectionId session, List<String> unreachable) {
    return unreachable.isEmpty()
        ? new GatewayException(
            GatewayError.CONNECTION_NOT_FOUND,
            "No live connection has the session id %s.".formatted(session))
        : new GatewayException(
            GatewayError.GATEWAY_UNREACHABLE,
            "%s is on none of the gateways that answered, but %s did not answer; try again."
                .formatted(session, unreachable),
            RETRY_AFTER);
  }

  /** What came back; complete once every stage of {@link #collect} has completed. */
  private record Answers(List<PeerReply> replies, List<String> unreachable) {
    CompletableFuture<?> collect(String gatewayId, CompletionStage<PeerReply> answer) {
      return answer
          .handle(
              (reply, failure) -> {
                boolean answered =
                    failure == null && reply.getKindCase() != PeerReply.KindCase.FAILURE;
                synchronized (this) {
                  if (answered) {
                    replies.add(reply);
                  } else {
                    unreachable.add(gatewayId);
                  }
                }
                return answered;
              })
          .toCompletableFuture();
    }
  }
}
