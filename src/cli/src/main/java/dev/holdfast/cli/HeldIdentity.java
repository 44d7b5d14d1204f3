package dev.holdfast.cli;

import dev.holdfast.client.CloseReason;
import dev.holdfast.client.Connection;
import dev.holdfast.client.ConnectionListener;
import dev.holdfast.client.ConnectionState;
import dev.holdfast.client.HoldfastException;
import dev.holdfast.client.Principal;
import dev.holdfast.client.Receipt;
import dev.holdfast.client.ReceivedMessage;
import dev.holdfast.client.StateChange;
import java.math.BigInteger;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;

/** Prints what happens to a connection. */
final class HeldIdentity implements ConnectionListener {
  private final EventPrinter printer;
  private String announcedSession = "";

  HeldIdentity(EventPrinter printer) {
    this.printer = printer;
  }

  @Override
  public void onStateChange(Connection connection, StateChange change) {
    String session = connection.sessionId();
    if (change.to() == ConnectionState.HELD && !session.equals(announcedSession)) {
      announcedSession = session;
      Map<String, Object> facts = new LinkedHashMap<>();
      facts.put("session", session);
      facts.put("token", token(change.fencingToken()));
      facts.put("resumed", connection.resumed());
      facts.put("identity", connection.identity());
      facts.put("gateway", connection.gatewayId());
      printer.print("connected", facts);
    } else {
      printState(change);
    }
  }

  private void printState(StateChange change) {
    Map<String, Object> facts = new LinkedHashMap<>();
    facts.put("from", change.from().name());
    facts.put("to", change.to().name());
    change.cause().ifPresent(cause -> addCause(facts, cause));
    printer.print("state", facts);
  }

  @Override
  public void onMessage(Connection connection, ReceivedMessage message) {
    printer.print("message", facts(message));
  }

  @Override
  public void onStaleMessage(Connection connection, ReceivedMessage message, long newestToken) {
    Map<String, Object> facts = facts(message);
    facts.put("newest-token", token(newestToken));
    printer.print("stale-message", facts);
  }

  private static Map<String, Object> facts(ReceivedMessage message) {
    Map<String, Object> facts = new LinkedHashMap<>();
    facts.put("from", message.from());
    facts.put("id", message.correlationId());
    facts.put("token", token(message.senderFencingToken()));
    facts.put("text", message.payloadText());
    return facts;
  }

  @Override
  public void onGoingAway(Connection connection, String reason) {
    printer.print("going-away", Map.of("reason", reason));
  }

  @Override
  public void onRetry(Principal principal, Duration delay, HoldfastException cause) {
    Map<String, Object> facts = new LinkedHashMap<>();
    facts.put("after", delay.toMillis() + "ms");
    addCause(facts, cause);
    printer.print("retry", facts);
  }

  void receipt(String to, Receipt receipt) {
    Map<String, Object> facts = new LinkedHashMap<>();
    facts.put("to", to);
    facts.put("id", receipt.correlationId());
    facts.put("accepted", receipt.accepted());
    if (receipt instanceof Receipt.Rejected rejected) {
      facts.put("reason", rejected.reason());
      facts.put("detail", rejected.message());
      rejected.retryAfter().ifPresent(after -> facts.put("retry-after", after.toMillis() + "ms"));
    }
    printer.print("receipt", facts);
  }

  /** Prints why the identity was never held. */
  void refused(HoldfastException refusal) {
    Map<String, Object> facts = new LinkedHashMap<>();
    addCause(facts, refusal);
    refusal.metadata().entrySet().stream()
        .sorted(Map.Entry.comparingByKey())
        .forEach(entry -> facts.put(entry.getKey().replace('_', '-'), entry.getValue()));
    refusal.retryAfter().ifPresent(after -> facts.put("retry-after", after.toMillis() + "ms"));
    printer.print("refused", facts);
  }

  void closed(CloseReason reason) {
    Map<String, Object> facts = new LinkedHashMap<>();
    facts.put("reason", reason.reason());
    printer.print("closed", facts);
  }

  private static void addCause(Map<String, Object> facts, HoldfastException cause) {
    facts.put("reason", cause.reason());
    String message = String.valueOf(cause.getMessage());
    String prefix = cause.reason() + ": ";
    facts.put("detail", message.startsWith(prefix) ? message.substring(prefix.length()) : message);
  }

  /** Tokens are unsigned. */
  private static BigInteger token(long bits) {
    return new BigInteger(Long.toUnsignedString(bits));
  }
}
