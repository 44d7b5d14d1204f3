package dev.holdfast.systemtests.harness;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * One gateway: the assembled server, started in a process and a directory of its own.
 *
 * <p>Thread-safe, apart from the builder.
 */
public final class GatewayProcess implements AutoCloseable {
  /** Long enough for several servers that start at once on a small machine. */
  private static final Duration READY_LIMIT = Duration.ofMinutes(3);

  /** The server stops its listeners within 30 s, then its applications. */
  private static final Duration STOP_LIMIT = Duration.ofSeconds(60);

  private final Map<String, String> settings;
  private final ServerDirectory directory;
  private final ChildProcess process;
  private final HttpClient http =
      HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(2)).build();

  private GatewayProcess(Builder builder) {
    this.settings = Map.copyOf(builder.settings);
    this.directory = ServerDirectory.create(settings, builder.overrides, builder.application);
    this.process = ChildProcess.start("gateway-" + id(), directory.command(builder.heap));
  }

  /** Returns a builder with free ports on loopback and an id of its own. */
  public static Builder builder() {
    return new Builder();
  }

  public String id() {
    return setting("holdfast.gateway.id");
  }

  public int grpcPort() {
    return Integer.parseInt(setting("holdfast.grpc.port"));
  }

  /** Returns the address for gRPC clients. */
  public String grpcTarget() {
    return "127.0.0.1:" + grpcPort();
  }

  public int httpPort() {
    return Integer.parseInt(setting("holdfast.http.port"));
  }

  /** Returns the address of REST, health and metrics, without a path. */
  public URI http() {
    return URI.create("http://localhost:" + httpPort());
  }

  public String adminUser() {
    return setting("holdfast.admin.user");
  }

  public String adminPassword() {
    return setting("holdfast.admin.password");
  }

  /** Returns the process, to kill it, freeze it, or read what it has printed. */
  public ChildProcess process() {
    return process;
  }

  /** Returns the server's log file, which tells more than its output. */
  public Path log() {
    return directory.log();
  }

  /**
   * Waits until the gateway says that it is ready.
   *
   * @throws IllegalStateException if it ends first, or is not ready in time; the message holds the
   *     end of its output
   */
  public void awaitReady() {
    boolean answered =
        Deadline.after(READY_LIMIT)
            .await(() -> !process.isAlive() || status("/health/ready") == 200);
    if (!answered || !process.isAlive()) {
      throw new IllegalStateException(
          process.describe("was not ready within " + READY_LIMIT.toSeconds() + " s"));
    }
  }

  /** Returns the HTTP status of a GET request without credentials, or -1 without an answer. */
  public int status(String path) {
    HttpRequest request =
        HttpRequest.newBuilder(http().resolve(path)).timeout(Duration.ofSeconds(5)).build();
    try {
      return http.send(request, HttpResponse.BodyHandlers.discarding()).statusCode();
    } catch (IOException e) {
      return -1;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return -1;
    }
  }

  /**
   * Stops the gateway in good order (SIGTERM) and waits for its end.
   *
   * @throws IllegalStateException if it does not end in time
   */
  public void stop() {
    process.terminate();
    if (!process.awaitExit(STOP_LIMIT)) {
      throw new IllegalStateException(
          process.describe("did not stop within " + STOP_LIMIT.toSeconds() + " s"));
    }
  }

  /** Kills the gateway without warning, as {@code kill -9} does. */
  public void kill9() {
    process.kill9();
  }

  /** Kills what still runs and deletes the directory. */
  @Override
  public void close() {
    process.close();
    directory.close();
  }

  private String setting(String key) {
    String value = settings.get(key);
    if (value == null) {
      throw new IllegalArgumentException(key + " is not among the settings of this gateway");
    }
    return value;
  }

  /** Settings of a gateway to start. */
  public static final class Builder {
    private final Map<String, String> settings = new LinkedHashMap<>();
    private final Map<String, String> overrides = new LinkedHashMap<>();
    private String heap = "-Xmx512m";
    private Optional<Path> application = Optional.empty();

    private Builder() {
      int grpcPort = Ports.free();
      set("holdfast.gateway.id", "gw-" + grpcPort);
      set("holdfast.grpc.host", "127.0.0.1");
      set("holdfast.grpc.port", Integer.toString(grpcPort));
      set("holdfast.http.port", Integer.toString(Ports.free()));
      set("holdfast.admin.user", "admin");
      set("holdfast.admin.password", "admin-" + Long.toHexString(System.nanoTime()));
    }

    /** Sets a configuration key, of the gateway or of the server, to {@code value}. */
    public Builder set(String key, String value) {
      settings.put(key, value);
      return this;
    }

    /** Adds a part of a {@code server.xml} to {@code configDropins/overrides}. */
    public Builder override(String fileName, String xml) {
      overrides.put(fileName, xml);
      return this;
    }

    /** Limits the heap, instead of to 512 MiB. */
    public Builder maxHeapMegabytes(int megabytes) {
      heap = "-Xmx" + megabytes + "m";
      return this;
    }

    /** Deploys {@code war} in the gateway's place: the same server with another application. */
    public Builder application(Path war) {
      application = Optional.of(war);
      return this;
    }

    /** Starts the gateway without waiting for it. */
    public GatewayProcess launch() {
      return new GatewayProcess(this);
    }

    /** Starts the gateway and waits until it is ready. */
    public GatewayProcess start() {
      GatewayProcess gateway = launch();
      try {
        gateway.awaitReady();
        return gateway;
      } catch (IllegalStateException e) {
        gateway.close();
        throw e;
      }
    }
  }

  /** Waits until every one of {@code gateways} is ready; if one is not, closes them all. */
  public static void awaitReady(List<GatewayProcess> gateways) {
    try {
      gateways.forEach(GatewayProcess::awaitReady);
    } catch (IllegalStateException e) {
      gateways.forEach(GatewayProcess::close);
      throw e;
    }
  }
}
