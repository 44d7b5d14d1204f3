package dev.holdfast.cli;

import jakarta.json.Json;
import jakarta.json.JsonException;
import jakarta.json.JsonObject;
import jakarta.json.JsonReader;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.Optional;

/** The gateway's REST interface for administrators. Fails with {@link CommandFailure}. */
final class AdminApi {
  private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(10);
  private static final Duration ANSWER_TIMEOUT = Duration.ofSeconds(60);

  private final HttpClient http;
  private final String baseUrl;
  private final String authorization;

  private AdminApi(HttpClient http, String baseUrl, String authorization) {
    this.http = http;
    this.baseUrl = baseUrl;
    this.authorization = authorization;
  }

  /**
   * The interface below {@code url}.
   *
   * @throws IllegalArgumentException if {@code url} is not one of http or https, or {@code trust}
   *     can't be read
   */
  static AdminApi open(URI url, String user, String password, Optional<Path> trust) {
    if (!"http".equals(url.getScheme()) && !"https".equals(url.getScheme())) {
      throw new IllegalArgumentException("'" + url + "' is not an http or https address");
    }
    HttpClient.Builder http = HttpClient.newBuilder().connectTimeout(CONNECT_TIMEOUT);
    trust.ifPresent(pem -> http.sslContext(PemTrust.contextFor(pem)));
    byte[] credentials = (user + ":" + password).getBytes(StandardCharsets.UTF_8);
    return new AdminApi(
        http.build(),
        url.toString().replaceAll("/+$", ""),
        "Basic " + Base64.getEncoder().encodeToString(credentials));
  }

  JsonObject connections() {
    return json(call("GET", "/api/connections"));
  }

  JsonObject connection(String sessionId) {
    return json(call("GET", "/api/connections/" + encode(sessionId)));
  }

  /** Ends a connection; returns when its identity is released. */
  void endConnection(String sessionId) {
    call("DELETE", "/api/connections/" + encode(sessionId));
  }

  JsonObject gateways() {
    return json(call("GET", "/api/gateways"));
  }

  private byte[] call(String method, String path) {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(baseUrl + path))
            .method(method, HttpRequest.BodyPublishers.noBody())
            .header("Authorization", authorization)
            .header("Accept", "application/json, application/problem+json")
            .timeout(ANSWER_TIMEOUT)
            .build();
    HttpResponse<byte[]> response = send(request);
    if (response.statusCode() / 100 != 2) {
      throw failure(response);
    }
    return response.body();
  }

  private HttpResponse<byte[]> send(HttpRequest request) {
    try {
      return http.send(request, HttpResponse.BodyHandlers.ofByteArray());
    } catch (IOException e) {
      String why = e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
      throw new CommandFailure(ExitCode.UNAVAILABLE, "no answer from " + baseUrl + ": " + why);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CommandFailure(ExitCode.FAILURE, "interrupted");
    }
  }

  private static CommandFailure failure(HttpResponse<byte[]> response) {
    int status = response.statusCode();
    int exitCode =
        switch (status) {
          case 401, 403 -> ExitCode.NOT_PERMITTED;
          case 502, 503, 504 -> ExitCode.UNAVAILABLE;
          default -> ExitCode.FAILURE;
        };
    return new CommandFailure(exitCode, "the gateway answered " + status + problem(response));
  }

  /** What the problem document says; nothing if there is none. */
  private static String problem(HttpResponse<byte[]> response) {
    String type = response.headers().firstValue("Content-Type").orElse("");
    if (!type.startsWith("application/problem+json")) {
      return "";
    }
    JsonObject problem = json(response.body());
    String reason = problem.getString("reason", problem.getString("title", ""));
    return " " + Text.printable(reason + ": " + problem.getString("detail", ""));
  }

  private static JsonObject json(byte[] body) {
    try (JsonReader reader = Json.createReader(new ByteArrayInputStream(body))) {
      return reader.readObject();
    } catch (JsonException e) {
      throw new CommandFailure(ExitCode.FAILURE, "the gateway's answer is not a JSON object");
    }
  }

  private static String encode(String segment) {
    return URLEncoder.encode(segment, StandardCharsets.UTF_8).replace("+", "%20");
  }
}
