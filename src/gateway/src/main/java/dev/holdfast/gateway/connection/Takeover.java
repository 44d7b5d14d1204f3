package dev.holdfast.gateway.connection;

import dev.holdfast.gateway.cluster.PeerBus;
import dev.holdfast.gateway.cluster.Self;
import dev.holdfast.gateway.identity.Identity;
import dev.holdfast.gateway.lock.LockKey;
import dev.holdfast.gateway.lock.LockRecord;
import dev.holdfast.protocol.peer.v1.PeerRequest;
import java.time.Duration;

/** Ends the stream whose session was resumed by another. Thread-safe, never blocks. */
final class Takeover {
  private static final String DETAIL = "Another stream resumed this session.";

  private final Self self;
  private final PeerBus bus;
  private final ConnectionRegistry registry;
  private final Duration timeout;
  private final ConnectionLog log;

  Takeover(
      Self self, PeerBus bus, ConnectionRegistry registry, Duration timeout, ConnectionLog log) {
    this.self = self;
    this.bus = bus;
    this.registry = registry;
    this.timeout = timeout;
    this.log = log;
  }

  /** Ends the stream that held {@code old}, here or on the gateway that has it. */
  void endSuperseded(Identity identity, LockRecord old) {
    if (old.gatewayEpoch().equals(self.epoch())) {
      registry.close(old.session(), CloseCause.SUPERSEDED, DETAIL);
    } else {
      ask(new LockKey(identity, old.session()), old);
    }
  }

  private void ask(LockKey key, LockRecord old) {
    PeerRequest request =
        PeerRequest.newBuilder()
            .setCloseConnection(
                dev.holdfast.protocol.peer.v1.CloseConnection.newBuilder()
                    .setSessionId(old.session().value())
                    .setCause(dev.holdfast.protocol.peer.v1.CloseCause.CLOSE_CAUSE_SUPERSEDED)
                    .setDetail(DETAIL))
            .build();
    bus.ask(old.gatewayId(), old.gatewayEpoch(), request, timeout)
        .whenComplete(
            (reply, failure) -> {
              if (failure != null) {
                log.supersededElsewhere(key, old.gatewayId(), failure);
              }
            });
  }
}
