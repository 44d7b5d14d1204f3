package dev.holdfast.systemtests.driver;

import dev.holdfast.systemtests.harness.GatewayProcess;
import jakarta.json.Json;
import jakarta.json.JsonArray;
import jakarta.json.JsonObject;
import jakarta.json.JsonReader;
import java.io.IOException;
import java.io.StringReader;
import java.io.UncheckedIOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;

/** The HTTP side of one gateway, as its administrator sees it. Thread-safe. */
public final class Admin {
  private final GatewayProcess gateway;
  private final HttpClient http =
      HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(5)).build();

  public Admin(GatewayProcess gateway) {
    this.gateway = gateway;
  }

  /** One answer. */
  public record Answer(int status, String contentType, String body) {
    public JsonObject object() {
      try (JsonReader reader = Json.createReader(new StringReader(body))) {
        return reader.readObject();
      }
    }

    public JsonArray array() {
      try (JsonReader reader = Json.createReader(new StringReader(body))) {
        return reader.readArray();
      }
    }
  }

  public Answer get(String path) {
    return call("GET", path, gateway.adminPassword());
  }

  public Answer delete(String path) {
    return call("DELETE", path, gateway.adminPassword());
  }

  /** Calls without credentials. */
  public Answer anonymous(String method, String path) {
    return send(request(method, path).build());
  }

  /** Calls with the administrator's name and this password. */
  public Answer call(String method, String path, String password) {
    byte[] pair = (gateway.adminUser() + ":" + password).getBytes(StandardCharsets.UTF_8);
    String credentials = "Basic " + Base64.getEncoder().encodeToString(pair);
    return send(request(method, path).header("Authorization", credentials).build());
  }

  private HttpRequest.Builder request(String method, String path) {
    return HttpRequest.newBuilder(gateway.http().resolve(path))
        .timeout(Duration.ofSeconds(30))
        .method(method, HttpRequest.BodyPublishers.noBody());
  }

  private Answer send(HttpRequest request) {
    try {
      HttpResponse<String> response = http.send(request, HttpResponse.BodyHandlers.ofString());
      String type = response.headers().firstValue("content-type").orElse("");
      return new Answer(response.statusCode(), type, response.body());
    } catch (IOException e) {
      throw new UncheckedIOException("no answer to " + request, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    }
  }
}
