package dev.holdfast.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;

/** The examples of {@code docs/sdk.md}: compiled here, and checked to be those of the page. */
class SdkPageTest {
  private static final Path PAGE = Path.of("..", "..", "docs", "sdk.md");
  private static final Path SOURCE =
      Path.of("src", "test", "java", "dev", "holdfast", "client", "SdkPageTest.java");

  @Test
  void page_showsTheseExamples() throws IOException {
    String page = Files.readString(PAGE);

    assertThat(examples())
        .hasSize(5)
        .allSatisfy(example -> assertThat(page).contains("```java\n" + example + "```"));
  }

  static void hold(String key) {
    // example
    try (HoldfastClient client =
        HoldfastClient.builder().target("gateway.example.org:7400").apiKey(key).build()) {
      Connection builder =
          client
              .connect(new Principal.Agent("acme", "builder", "7"), ConnectOptions.DEFAULT)
              .toCompletableFuture()
              .join();
      System.Logger log = System.getLogger("builder");
      log.log(System.Logger.Level.INFO, "held with token " + builder.fencingToken());
      builder.closed().toCompletableFuture().join();
    }
    // end
  }

  static void refused(
      Worker worker, HoldfastClient client, Principal principal, ConnectOptions options) {
    // example
    try {
      client.connect(principal, options).toCompletableFuture().join();
    } catch (CompletionException e) {
      if (e.getCause() instanceof DuplicateIdentityException duplicate) {
        worker.retryLater(duplicate.heldSince(), duplicate.retryAfter());
      } else if (e.getCause() instanceof HoldfastException refusal) {
        worker.report(refusal.reason(), refusal.metadata());
      }
    }
    // end
  }

  static void states(Worker worker) {
    // example
    ConnectionListener listener =
        new ConnectionListener() {
          @Override
          public void onStateChange(Connection connection, StateChange change) {
            switch (change.to()) {
              case HELD -> worker.run(change.fencingToken());
              case SUSPECT -> worker.pause();
              case LOST, CLOSED -> worker.stop();
              case CONNECTING -> {}
            }
          }

          @Override
          public void onMessage(Connection connection, ReceivedMessage message) {
            worker.handle(message.from(), message.payloadText());
          }
        };
    // end
    worker.listen(listener);
  }

  static ConnectOptions options(ConnectionListener listener) {
    // example
    ConnectOptions options =
        ConnectOptions.builder()
            .listener(listener)
            .retryOnDuplicate(Duration.ofSeconds(45))
            .sessionStore(new FileSessionStore(Path.of("/var/lib/builder/session")))
            .build();
    // end
    return options;
  }

  static void send(Worker worker, Connection connection) {
    // example
    byte[] payload = "build 42".getBytes(StandardCharsets.UTF_8);
    connection
        .send("agent/acme/tester/1", payload, "text/plain;charset=utf-8")
        .thenAccept(
            receipt -> {
              if (receipt instanceof Receipt.Rejected rejected) {
                worker.report(rejected.reason(), rejected.retryAfter());
              }
            });
    // end
  }

  /** What the examples work with. */
  interface Worker {
    void run(long fencingToken);

    void pause();

    void stop();

    void handle(String from, String text);

    void listen(ConnectionListener listener);

    void retryLater(Object since, Object after);

    void report(Object reason, Object detail);
  }

  /** The lines between the marks, moved to the left. */
  private static List<String> examples() throws IOException {
    List<String> examples = new ArrayList<>();
    StringBuilder example = new StringBuilder();
    boolean inside = false;
    for (String line : Files.readAllLines(SOURCE)) {
      String mark = line.strip();
      if (mark.equals("// end")) {
        examples.add(example.toString());
        example.setLength(0);
        inside = false;
      } else if (inside) {
        example.append(line.isEmpty() ? line : line.substring(4)).append('\n');
      } else if (mark.equals("// example")) {
        inside = true;
      }
    }
    return examples;
  }
}
