package dev.holdfast.gateway.telemetry;

/** Every metric of the gateway: its name in a scrape, kind, tag and meaning. */
public enum Meter {
  CONNECTIONS_ACTIVE("holdfast_connections_active", Kind.GAUGE, "", "Connections held now."),
  CONNECTION_OPENS(
      "holdfast_connection_opens",
      Kind.COUNTER,
      "outcome",
      "Connect streams by outcome: held, refused, failed."),
  CONNECTION_REFUSALS(
      "holdfast_connection_refusals",
      Kind.COUNTER,
      "reason",
      "Connect streams that were not admitted, by the reason of the error catalogue."),
  CONNECTION_CLOSES(
      "holdfast_connection_closes",
      Kind.COUNTER,
      "cause",
      "Held connections that ended, by cause."),
  CONNECTION_RESUMES(
      "holdfast_connection_resumes", Kind.COUNTER, "", "Connects that took over a live session."),
  CONNECTION_TAKEOVERS(
      "holdfast_connection_takeovers",
      Kind.COUNTER,
      "",
      "Connections of this gateway that ended because another stream resumed their session."),
  CLEANUP_DURATION(
      "holdfast_cleanup_duration",
      Kind.TIMER,
      "",
      "From the end of a stream until its lock was released and the audit entry written."),
  LOCKS_LOST("holdfast_locks_lost", Kind.COUNTER, "cause", "Locks lost while held, by cause."),
  REFRESH_DURATION(
      "holdfast_refresh_round_duration", Kind.TIMER, "", "Duration of one refresh round."),
  REFRESH_BATCH_SIZE(
      "holdfast_refresh_batch_size", Kind.DISTRIBUTION, "", "Locks in one refresh round."),
  REFRESH_FAILURES(
      "holdfast_refresh_failures", Kind.COUNTER, "", "Refresh batches that Redis did not answer."),
  MESSAGES("holdfast_messages", Kind.COUNTER, "outcome", "Messages from clients, by outcome."),
  MESSAGE_QUEUE_DEPTH(
      "holdfast_message_queue_depth",
      Kind.GAUGE,
      "",
      "Messages that wait for slow readers, over all connections."),
  MESSAGES_DROPPED(
      "holdfast_messages_dropped",
      Kind.COUNTER,
      "",
      "Accepted messages that were still queued when their receiver's stream ended."),
  AUTH_FAILURES(
      "holdfast_auth_failures", Kind.COUNTER, "reason", "Failed authentications, by reason.");

  /** What a meter measures with. */
  public enum Kind {
    COUNTER,
    GAUGE,
    TIMER,
    DISTRIBUTION
  }

  private final String id;
  private final Kind kind;
  private final String tag;
  private final String help;

  Meter(String id, Kind kind, String tag, String help) {
    this.id = id;
    this.kind = kind;
    this.tag = tag;
    this.help = help;
  }

  /** Returns the name, without the suffixes that the scrape format adds. */
  public String id() {
    return id;
  }

  public Kind kind() {
    return kind;
  }

  /** Returns the key of the one tag; empty if there is none. */
  public String tag() {
    return tag;
  }

  public String help() {
    return help;
  }
}
