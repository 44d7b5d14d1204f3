package dev.holdfast.systemtests.tour;

import dev.holdfast.client.CloseReason;
import dev.holdfast.client.ConnectOptions;
import dev.holdfast.client.Connection;
import dev.holdfast.client.ConnectionState;
import dev.holdfast.client.DuplicateIdentityException;
import dev.holdfast.client.HoldfastClient;
import dev.holdfast.client.Principal;
import dev.holdfast.client.Receipt;
import dev.holdfast.systemtests.harness.ChildProcess;
import dev.holdfast.systemtests.harness.CutProxy;
import dev.holdfast.systemtests.harness.GatewayProcess;
import dev.holdfast.systemtests.harness.JavaProcess;
import java.io.IOException;
import java.net.Authenticator;
import java.net.PasswordAuthentication;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** The steps of the tour: an identity is held, refused, lost, resumed, taken away, talked to. */
final class MainJob implements AutoCloseable {
  private static final Principal BUILDER = new Principal.Agent("acme", "builder", "7");
  private static final Principal TESTER = new Principal.Agent("acme", "tester", "1");
  private static final String BUILDER_PATH = "agent/acme/builder/7";
  private static final Duration LIMIT = Duration.ofSeconds(30);
  private static final long RETRY_MILLIS = 5;

  private final GatewayProcess gateway;
  private final Trial trial;
  private final CutProxy network;
  private final HoldfastClient client;
  private final ChildProcess agent;

  MainJob(GatewayProcess gateway, Trial trial) {
    this.gateway = gateway;
    this.trial = trial;
    this.network = CutProxy.to(gateway.grpcPort());
    this.client = clientOf(gateway.grpcTarget());
    this.agent =
        JavaProcess.start(
            dev.holdfast.cli.Main.class,
            List.of("connect", "--plaintext", BUILDER_PATH),
            Map.of("HOLDFAST_TARGET", gateway.grpcTarget(), "HOLDFAST_API_KEY", trial.apiKey()));
  }

  List<Step> steps() {
    return List.of(
        new Step(
            "An agent connects",
            "A process of its own holds " + BUILDER_PATH + ".",
            () -> agent.awaitLine(line -> line.startsWith("connected "), LIMIT)),
        new Step(
            "A second one is refused",
            "The same identity is refused, with the holder's since and a time to come back.",
            this::secondIsRefused),
        new Step(
            "kill -9 of the first agent",
            "The identity is taken again as soon as the kernel has closed the dead one's stream.",
            this::killedHolderIsReplaced),
        new Step(
            "The network is cut",
            "The client is told SUSPECT, resumes its session, and is HELD with a higher token.",
            this::cutIsSurvived),
        new Step(
            "An administrator ends a connection",
            "DELETE answers when the lock is released; the client is told FORCE_DISCONNECT.",
            this::administratorEnds),
        new Step(
            "A message between two gateways",
            "A second gateway joins; a message goes across, with a receipt.",
            this::messageAcrossGateways));
  }

  private String secondIsRefused() throws Exception {
    try (Connection second = connect(client, BUILDER, ConnectOptions.DEFAULT)) {
      throw new IllegalStateException("it was admitted as " + second.sessionId());
    } catch (DuplicateIdentityException refusal) {
      return "Refused: %s; held since %s, come back in %s."
          .formatted(
              refusal.reason(),
              refusal.heldSince().map(Object::toString).orElse("?"),
              refusal.retryAfter().map(MainJob::shown).orElse("?"));
    }
  }

  private String killedHolderIsReplaced() throws Exception {
    long killed = System.nanoTime();
    agent.kill9();
    while (System.nanoTime() - killed < LIMIT.toNanos()) {
      try (Connection next = connect(client, BUILDER, ConnectOptions.DEFAULT)) {
        long millis = (System.nanoTime() - killed) / 1_000_000;
        return "Held again %d ms after the kill, token %d.".formatted(millis, next.fencingToken());
      } catch (DuplicateIdentityException refusal) {
        TimeUnit.MILLISECONDS.sleep(RETRY_MILLIS);
      }
    }
    throw new IllegalStateException("still refused after " + LIMIT);
  }

  private String cutIsSurvived() throws Exception {
    Transcript transcript = new Transcript();
    try (HoldfastClient far = clientOf("127.0.0.1:" + network.port());
        Connection connection = connect(far, BUILDER, transcript.options())) {
      long before = connection.fencingToken();
      network.strand();
      transcript.await(ConnectionState.SUSPECT);
      transcript.await(ConnectionState.HELD);
      check(connection.resumed(), "the identity was not resumed but acquired anew");
      check(connection.fencingToken() > before, "the token did not rise");
      return "SUSPECT, then HELD by resume; token %d became %d."
          .formatted(before, connection.fencingToken());
    }
  }

  private String administratorEnds() throws Exception {
    try (Connection connection = connect(client, BUILDER, ConnectOptions.DEFAULT)) {
      int status = delete("/api/connections/" + connection.sessionId());
      check(status == 204, "DELETE answered " + status);
      CloseReason reason = get(connection.closed());
      check(reason.reason().equals("FORCE_DISCONNECT"), "the client was told " + reason.reason());
      try (Connection next = connect(client, BUILDER, ConnectOptions.DEFAULT)) {
        return "DELETE answered 204, the client was told %s, and the identity was free (token %d)."
            .formatted(reason.reason(), next.fencingToken());
      }
    }
  }

  private String messageAcrossGateways() throws Exception {
    Transcript inbox = new Transcript();
    try (GatewayProcess other = startSecondGateway();
        HoldfastClient there = clientOf(other.grpcTarget());
        Connection tester = connect(there, TESTER, inbox.options());
        Connection builder = connect(client, BUILDER, ConnectOptions.DEFAULT)) {
      byte[] hello = "hello".getBytes(StandardCharsets.UTF_8);
      Receipt receipt = get(builder.send(tester.identity(), hello, "text/plain"));
      check(receipt.accepted(), "the receipt was " + receipt);
      String arrived = inbox.awaitMessage(LIMIT);
      check(arrived.equals(BUILDER_PATH + ": hello"), "what arrived was " + arrived);
      return "'%s' went from %s to %s; the receipt says accepted."
          .formatted(arrived, builder.gatewayId(), tester.gatewayId());
    }
  }

  private GatewayProcess startSecondGateway() {
    return GatewayProcess.builder()
        .set("holdfast.redis.url", trial.redisUrl())
        .set("holdfast.access.key-file", trial.writeKeyFile().toString())
        .start();
  }

  private HoldfastClient clientOf(String target) {
    return HoldfastClient.builder().target(target).plaintext().apiKey(trial.apiKey()).build();
  }

  private static Connection connect(
      HoldfastClient client, Principal principal, ConnectOptions options) throws Exception {
    return get(client.connect(principal, options));
  }

  private static <T> T get(CompletionStage<T> stage)
      throws InterruptedException, ExecutionException, TimeoutException {
    try {
      return stage.toCompletableFuture().get(LIMIT.toMillis(), TimeUnit.MILLISECONDS);
    } catch (ExecutionException | CompletionException e) {
      if (e.getCause() instanceof RuntimeException refusal) {
        throw refusal;
      }
      throw e;
    }
  }

  private int delete(String path) throws IOException, InterruptedException {
    HttpClient http =
        HttpClient.newBuilder()
            .authenticator(
                new Authenticator() {
                  @Override
                  protected PasswordAuthentication getPasswordAuthentication() {
                    return new PasswordAuthentication(
                        gateway.adminUser(), gateway.adminPassword().toCharArray());
                  }
                })
            .build();
    HttpRequest request =
        HttpRequest.newBuilder(gateway.http().resolve(path)).DELETE().timeout(LIMIT).build();
    return http.send(request, HttpResponse.BodyHandlers.discarding()).statusCode();
  }

  private static void check(boolean kept, String otherwise) {
    if (!kept) {
      throw new IllegalStateException(otherwise);
    }
  }

  private static String shown(Duration duration) {
    return "%d.%03d s".formatted(duration.toSeconds(), duration.toMillisPart());
  }

  @Override
  public void close() {
    client.close();
    agent.close();
    network.close();
  }
}
