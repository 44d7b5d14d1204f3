package dev.holdfast.systemtests.suite;

import dev.holdfast.systemtests.driver.RawClient;
import dev.holdfast.systemtests.harness.GatewayProcess;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** The clients of one test, which end with it. Thread-safe. */
public final class Clients implements AutoCloseable {
  private final List<RawClient> clients = new CopyOnWriteArrayList<>();

  /** Makes a client of a gateway, with the key that may do everything. */
  public RawClient to(GatewayProcess gateway) {
    return to(gateway, TestKeys.ALL);
  }

  /** Makes a client of a gateway with a key. */
  public RawClient to(GatewayProcess gateway, String apiKey) {
    return keep(RawClient.plaintext(gateway.grpcTarget(), apiKey));
  }

  /** Makes a client of whatever listens on a port of loopback. */
  public RawClient toPort(int port) {
    return keep(RawClient.plaintext("127.0.0.1:" + port, TestKeys.ALL));
  }

  /** Takes over a client that the test has made. */
  public RawClient keep(RawClient client) {
    clients.add(client);
    return client;
  }

  @Override
  public void close() {
    clients.forEach(RawClient::close);
  }
}
