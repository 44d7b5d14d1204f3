package dev.holdfast.cli;

import jakarta.json.Json;
import jakarta.json.JsonObjectBuilder;
import jakarta.json.JsonValue;
import java.io.PrintWriter;
import java.math.BigInteger;
import java.util.Map;

/** Prints what happens, one line per event. Thread-safe. */
final class EventPrinter {
  private final PrintWriter out;
  private final OutputFormat format;

  EventPrinter(PrintWriter out, OutputFormat format) {
    this.out = out;
    this.format = format;
  }

  /**
   * Prints an event with its facts, in the order of the map; truths and numbers stay so in JSON.
   */
  void print(String event, Map<String, Object> facts) {
    String line = format == OutputFormat.json ? json(event, facts) : words(event, facts);
    synchronized (out) {
      out.println(line);
      out.flush();
    }
  }

  private static String words(String event, Map<String, Object> facts) {
    StringBuilder line = new StringBuilder(event);
    facts.forEach(
        (name, value) ->
            line.append(' ').append(name).append('=').append(Text.word(value.toString())));
    return line.toString();
  }

  private static String json(String event, Map<String, Object> facts) {
    JsonObjectBuilder object = Json.createObjectBuilder().add("event", event);
    facts.forEach((name, value) -> object.add(name, jsonValue(value)));
    return object.build().toString();
  }

  private static JsonValue jsonValue(Object value) {
    if (value instanceof Boolean truth) {
      return truth ? JsonValue.TRUE : JsonValue.FALSE;
    }
    return value instanceof BigInteger number
        ? Json.createValue(number)
        : Json.createValue(value.toString());
  }
}
