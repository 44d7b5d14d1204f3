package dev.holdfast.gateway.connection;

import com.google.protobuf.ByteString;
import dev.holdfast.gateway.access.ApiKey;
import dev.holdfast.gateway.access.Caller;
import dev.holdfast.gateway.access.IdentityPattern;
import dev.holdfast.gateway.cluster.Self;
import dev.holdfast.gateway.config.GatewayConfig;
import dev.holdfast.gateway.identity.ConnectionId;
import dev.holdfast.gateway.identity.Identity;
import dev.holdfast.gateway.lock.LeaseListener;
import dev.holdfast.gateway.lock.LockKey;
import dev.holdfast.gateway.message.UndeliverableMessages;
import dev.holdfast.gateway.testing.FakeBus;
import dev.holdfast.gateway.testing.FakeClock;
import dev.holdfast.gateway.testing.MemoryIdentityLock;
import dev.holdfast.gateway.testing.RecordingMeters;
import dev.holdfast.gateway.testing.RecordingStream;
import dev.holdfast.protocol.gateway.v1.Agent;
import dev.holdfast.protocol.gateway.v1.ConnectRequest;
import dev.holdfast.protocol.gateway.v1.ConnectResponse;
import dev.holdfast.protocol.gateway.v1.GrantCredit;
import dev.holdfast.protocol.gateway.v1.InitConnection;
import dev.holdfast.protocol.gateway.v1.Principal;
import dev.holdfast.protocol.gateway.v1.SendMessage;
import java.security.SecureRandom;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.LongSupplier;

/** The core of one gateway, over a lock, a clock and a bus that a test controls. */
final class Gateway {
  static final String ID = "gw-1";
  static final String EPOCH = "00000000000000e1";

  final FakeClock clock;
  final MemoryIdentityLock locks;
  final FakeBus bus = new FakeBus();
  final RecordingMeters meters = new RecordingMeters();
  final Map<LockKey, LeaseListener> leases = new HashMap<>();
  final BlockingQueue<String> steps = new LinkedBlockingQueue<>();
  final ConnectionRegistry registry;
  final Connections connections;
  final GatewayConfig config;

  Gateway() {
    this(Map.of());
  }

  Gateway(Map<String, String> settings) {
    this(new FakeClock(), settings);
  }

  private Gateway(FakeClock clock, Map<String, String> settings) {
    this(clock, clock, clock.ticker(), new MemoryIdentityLock(clock.wallClock()), settings);
  }

  Gateway(
      FakeClock clock,
      ScheduledExecutorService timers,
      LongSupplier ticker,
      MemoryIdentityLock locks,
      Map<String, String> settings) {
    this.clock = clock;
    this.locks = locks;
    config = GatewayConfig.read(key -> Optional.ofNullable(settings.get(key)));
    registry = new ConnectionRegistry(config.connection().max(), meters);
    connections =
        new Connections(
            registry,
            new Self(ID, EPOCH, "1.0.0-test", clock.wallClock().instant()),
            config,
            new Connections.Ports(
                locks.on(ID, EPOCH),
                this::hold,
                bus,
                (identity, session) -> steps.add("quota " + identity + " " + session),
                (identity, session, cause) -> steps.add("task " + identity + " " + cause),
                UndeliverableMessages.refused()),
            new Environment(timers, ticker, clock.wallClock(), new SecureRandom()),
            meters);
  }

  private LeaseKeeper.Hold hold(LockKey key, long sentNanos, LeaseListener listener) {
    synchronized (leases) {
      leases.put(key, listener);
    }
    return () -> {
      synchronized (leases) {
        leases.remove(key);
      }
    };
  }

  /** Returns the listener of the one lease that is kept. */
  LeaseListener lease() {
    synchronized (leases) {
      if (leases.size() != 1) {
        throw new AssertionError("leases: " + leases.keySet());
      }
      return leases.values().iterator().next();
    }
  }

  /** Returns the listener of one lease that is kept. */
  LeaseListener lease(LockKey key) {
    synchronized (leases) {
      LeaseListener listener = leases.get(key);
      if (listener == null) {
        throw new AssertionError("no lease for " + key);
      }
      return listener;
    }
  }

  /** Opens a stream of a client whose key may hold everything. */
  Client open() {
    return open("key-1", "**");
  }

  Client open(String keyId, String pattern) {
    RecordingStream stream = new RecordingStream();
    ApiKey key = new ApiKey(keyId, List.of(IdentityPattern.parse(pattern)));
    Connection connection = connections.open(new Caller(key, "127.0.0.1:5555"), stream);
    connection.begin();
    return new Client(connection, stream);
  }

  /** Opens a stream and asks for an agent's identity. */
  Client connect(String specifier) {
    Client client = open();
    client.init(agent(specifier));
    return client;
  }

  static InitConnection.Builder agent(String specifier) {
    return InitConnection.newBuilder()
        .setPrincipal(
            Principal.newBuilder()
                .setAgent(
                    Agent.newBuilder()
                        .setWorkspace("acme")
                        .setImplementation("builder")
                        .setSpecifier(specifier)));
  }

  static Identity identity(String specifier) {
    return Identity.parse("agent/acme/builder/" + specifier);
  }

  static ConnectRequest message(String id, String to, int bytes) {
    return ConnectRequest.newBuilder()
        .setSend(
            SendMessage.newBuilder()
                .setCorrelationId(id)
                .setTo(to)
                .setPayload(ByteString.copyFrom(new byte[bytes])))
        .build();
  }

  /** One client, as the test plays it. */
  record Client(Connection connection, RecordingStream stream) {
    void init(InitConnection.Builder init) {
      send(ConnectRequest.newBuilder().setInit(init).build());
    }

    void send(ConnectRequest frame) {
      connection.receive(new InboundFrame.Parsed(frame));
    }

    void message(String id, String to) {
      send(Gateway.message(id, to, 10));
    }

    void grant(int messages) {
      send(
          ConnectRequest.newBuilder()
              .setGrant(GrantCredit.newBuilder().setMessages(messages))
              .build());
    }

    ConnectionId session() {
      return connection.session();
    }

    ConnectResponse last() {
      List<ConnectResponse> sent = stream.sent();
      return sent.get(sent.size() - 1);
    }

    List<String> receipts() {
      return stream.sent().stream()
          .filter(ConnectResponse::hasReceipt)
          .map(
              frame ->
                  frame.getReceipt().getCorrelationId()
                      + (frame.getReceipt().hasAccepted()
                          ? " accepted"
                          : " " + frame.getReceipt().getRejected().getReason()))
          .toList();
    }

    List<String> messages() {
      return stream.sent().stream()
          .filter(ConnectResponse::hasMessage)
          .map(frame -> frame.getMessage().getCorrelationId())
          .toList();
    }
  }
}
