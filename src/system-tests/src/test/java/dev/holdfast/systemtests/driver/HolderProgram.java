package dev.holdfast.systemtests.driver;

import dev.holdfast.protocol.gateway.v1.ConnectionAck;

/**
 * A program that holds an agent's identity until it is killed. Arguments: {@code TARGET SPECIFIER};
 * the API key comes in the environment. It prints {@code held SESSION_ID TOKEN}.
 */
public final class HolderProgram {
  /** The environment variable of the API key. */
  public static final String API_KEY = "HOLDFAST_TEST_API_KEY";

  private HolderProgram() {}

  /** Connects, and prints how the stream ended, should it. */
  public static void main(String[] args) {
    String apiKey = System.getenv(API_KEY);
    try (RawClient client = RawClient.plaintext(args[0], apiKey == null ? "" : apiKey)) {
      RawConnection connection = client.connect(Principals.agent("acme", "holder", args[1]));
      ConnectionAck ack = connection.ack();
      System.out.println("held " + ack.getSessionId() + " " + ack.getFencingToken());
      System.out.println("ended " + connection.endWhenever());
    }
  }
}
