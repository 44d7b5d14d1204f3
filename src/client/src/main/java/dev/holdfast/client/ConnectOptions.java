package dev.holdfast.client;

import java.time.Duration;
import java.util.Objects;

/**
 * How one identity is held. Immutable; the builder's setters reject values that are out of range.
 */
public final class ConnectOptions {
  /** How long an attempt may take when nothing else is said. */
  public static final Duration DEFAULT_CONNECT_TIMEOUT = Duration.ofSeconds(20);

  /** How many messages wait for the listener at most when nothing else is said. */
  public static final int DEFAULT_INBOX_CAPACITY = 64;

  /** How many messages may lack a receipt when nothing else is said. */
  public static final int DEFAULT_MAX_UNRECEIPTED = 256;

  /** The options when nothing else is said: reconnects, keeps no session, has no listener. */
  public static final ConnectOptions DEFAULT = builder().build();

  private final ConnectionListener listener;
  private final SessionStore sessionStore;
  private final Duration connectTimeout;
  private final Duration retryOnDuplicate;
  private final boolean reconnect;
  private final int inboxCapacity;
  private final int maxUnreceipted;

  private ConnectOptions(Builder builder) {
    this.listener = builder.listener;
    this.sessionStore = builder.sessionStore;
    this.connectTimeout = builder.connectTimeout;
    this.retryOnDuplicate = builder.retryOnDuplicate;
    this.reconnect = builder.reconnect;
    this.inboxCapacity = builder.inboxCapacity;
    this.maxUnreceipted = builder.maxUnreceipted;
  }

  /** A builder that starts from {@link #DEFAULT}. */
  public static Builder builder() {
    return new Builder();
  }

  ConnectionListener listener() {
    return listener;
  }

  SessionStore sessionStore() {
    return sessionStore;
  }

  Duration connectTimeout() {
    return connectTimeout;
  }

  Duration retryOnDuplicate() {
    return retryOnDuplicate;
  }

  boolean reconnect() {
    return reconnect;
  }

  int inboxCapacity() {
    return inboxCapacity;
  }

  int maxUnreceipted() {
    return maxUnreceipted;
  }

  /** Builds {@link ConnectOptions}. Not thread-safe. */
  public static final class Builder {
    private ConnectionListener listener = ConnectionListener.NONE;
    private SessionStore sessionStore = SessionStore.NONE;
    private Duration connectTimeout = DEFAULT_CONNECT_TIMEOUT;
    private Duration retryOnDuplicate = Duration.ZERO;
    private boolean reconnect = true;
    private int inboxCapacity = DEFAULT_INBOX_CAPACITY;
    private int maxUnreceipted = DEFAULT_MAX_UNRECEIPTED;

    private Builder() {}

    /** Who hears of states and messages. */
    public Builder listener(ConnectionListener value) {
      listener = Objects.requireNonNull(value, "listener");
      return this;
    }

    /** Where session ids are kept, so that another process can resume. */
    public Builder sessionStore(SessionStore value) {
      sessionStore = Objects.requireNonNull(value, "sessionStore");
      return this;
    }

    /** How long one attempt may take from its start to the acknowledgement; 10 ms to 10 min. */
    public Builder connectTimeout(Duration value) {
      connectTimeout =
          Check.inRange("connectTimeout", value, Duration.ofMillis(10), Duration.ofMinutes(10));
      return this;
    }

    /**
     * How long to wait for another holder of the identity to go away before giving up with {@link
     * DuplicateIdentityException}; zero, the default, gives up at once; at most 1 day.
     *
     * <p>A connection that held the identity before waits at least one lock TTL, because the other
     * holder may be itself: an acknowledgement that was lost on the way.
     */
    public Builder retryOnDuplicate(Duration maxWait) {
      retryOnDuplicate =
          Check.inRange("retryOnDuplicate", maxWait, Duration.ZERO, Duration.ofDays(1));
      return this;
    }

    /** Whether the connection tries again when its stream ends; true by default. */
    public Builder reconnect(boolean value) {
      reconnect = value;
      return this;
    }

    /** How many messages may wait for the listener; 1 to 100,000. */
    public Builder inboxCapacity(int messages) {
      inboxCapacity = Check.inRange("inboxCapacity", messages, 1, 100_000);
      return this;
    }

    /** How many sent messages may lack a receipt; a send beyond is rejected; 1 to 100,000. */
    public Builder maxUnreceipted(int messages) {
      maxUnreceipted = Check.inRange("maxUnreceipted", messages, 1, 100_000);
      return this;
    }

    /** The options as set so far. */
    public ConnectOptions build() {
      return new ConnectOptions(this);
    }
  }
}
