package dev.holdfast.client;

import com.google.protobuf.ByteString;
import dev.holdfast.protocol.gateway.v1.SendMessage;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/**
 * An identity and whether it is held.
 *
 * <p>It outlives the streams that it runs over: when one breaks, the connection resumes on another,
 * as its {@link ConnectOptions} say. Thread-safe; nothing but {@link #close} waits.
 *
 * <p>{@link ConnectionState#HELD} is what the gateway said last; it can be outdated by the time a
 * network takes to tell. Who must never act on an identity that isn't held any more sends {@link
 * #fencingToken} with every write and lets the receiver refuse a lower one.
 */
public final class Connection implements AutoCloseable {
  private static final int MAX_CORRELATION_ID_BYTES = 100;
  private static final int MAX_CONTENT_TYPE_BYTES = 100;
  private static final int MAX_IDENTITY_BYTES = 10_000;

  private final Hold hold;
  private final Standing standing;
  private final Inbox inbox;
  private final Outbox outbox;
  private final String correlationPrefix;
  private final AtomicLong correlations = new AtomicLong();

  Connection(Hold hold, Standing standing, Inbox inbox, Outbox outbox) {
    this.hold = hold;
    this.standing = standing;
    this.inbox = inbox;
    this.outbox = outbox;
    this.correlationPrefix = Long.toString(ThreadLocalRandom.current().nextLong() >>> 16, 36) + "-";
  }

  /** What may be relied on just now. */
  public ConnectionState state() {
    return standing.state();
  }

  /** Why the connection is closed; empty unless it is. */
  public Optional<CloseReason> closeReason() {
    return standing.closeReason();
  }

  /** Who connected. */
  public Principal principal() {
    return hold.principal();
  }

  /** The canonical identity string, such as {@code agent/acme/builder/7}: what others send to. */
  public String identity() {
    return standing.newestAck().getIdentity();
  }

  /** The id of the newest stream; changes with every resume and every new acquisition. */
  public String sessionId() {
    return standing.newestAck().getSessionId();
  }

  /** The id that the gateway assigned to a {@link Principal.Task}; empty for every other kind. */
  public Optional<String> assignedId() {
    String id = standing.newestAck().getAssignedId();
    return id.isEmpty() ? Optional.empty() : Optional.of(id);
  }

  /**
   * The token of the newest acquisition, an unsigned number: greater at every acquisition of this
   * identity, by whomever. It stays readable when the identity is lost; receivers refuse it as soon
   * as they have seen a greater one.
   */
  public long fencingToken() {
    return standing.newestAck().getFencingToken();
  }

  /**
   * Whether the newest acquisition took the identity over from an earlier session, without a gap.
   */
  public boolean resumed() {
    return standing.newestAck().getResumed();
  }

  /** The gateway of the newest acquisition. */
  public String gatewayId() {
    return standing.newestAck().getGatewayId();
  }

  /** The largest payload that the gateway accepts, in bytes; 0 if it named no limit. */
  public int maxPayloadBytes() {
    return standing.newestAck().getMaxPayloadBytes();
  }

  /** How many messages were dropped because their sender had been fenced off. */
  public long staleMessages() {
    return inbox.staleMessages();
  }

  /**
   * Sends a message under a correlation id that is unique to it.
   *
   * @see #send(String, String, byte[], String)
   */
  public CompletionStage<Receipt> send(String to, byte[] payload, String contentType) {
    String id = correlationPrefix + Long.toString(correlations.incrementAndGet(), 36);
    return send(id, to, payload, contentType);
  }

  /**
   * Sends a message to another identity, after those that the calling thread sent before.
   *
   * @param correlationId returned in the receipt and shown to the receiver; 1 to 100 bytes, and not
   *     that of another message that has no receipt yet
   * @param to the canonical identity string of the receiver
   * @param payload copied
   * @param contentType what the payload is; may be empty; at most 100 bytes
   * @return completes with what became of the message, on a thread of the client's executor; fails
   *     never. While there is no stream, and while too many messages lack a receipt, the message is
   *     rejected at once
   * @throws IllegalArgumentException if an argument is out of its bounds
   */
  public CompletionStage<Receipt> send(
      String correlationId, String to, byte[] payload, String contentType) {
    return outbox.send(
        SendMessage.newBuilder()
            .setCorrelationId(Check.text("correlationId", correlationId, MAX_CORRELATION_ID_BYTES))
            .setTo(Check.text("to", to, MAX_IDENTITY_BYTES))
            .setPayload(ByteString.copyFrom(Objects.requireNonNull(payload, "payload")))
            .setContentType(Check.optionalText("contentType", contentType, MAX_CONTENT_TYPE_BYTES))
            .build());
  }

  /**
   * Completes when the connection is closed, its last stream has ended, and the listener has heard
   * of it; fails never.
   */
  public CompletionStage<CloseReason> closed() {
    return hold.closed();
  }

  /**
   * Releases the identity, without waiting for the gateway to say so. Messages without a receipt
   * are rejected: to be sure of one, wait for its receipt first. Does nothing if closed already.
   *
   * @return as {@link #closed}: once it completes, another may acquire the identity
   */
  public CompletionStage<CloseReason> closeAsync() {
    hold.close();
    return hold.closed();
  }

  /**
   * As {@link #closeAsync}, and waits until the gateway has ended the stream, for at most 5 s. An
   * interrupt ends the wait and stays set.
   */
  @Override
  public void close() {
    hold.close();
    try {
      hold.ended().get();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (ExecutionException e) {
      throw new AssertionError("never completes exceptionally", e);
    }
  }
}
