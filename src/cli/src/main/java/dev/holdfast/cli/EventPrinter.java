package dev.holdfast.cli;

import jakarta.json.Json;
import jakarta.json.JsonObjectBuilder;
import java.io.PrintWriter;
import java.util.Map;

/** Prints what happens, one line per event. Thread-safe. */
final class EventPrinter {
  private final PrintWriter out;
  private final OutputFormat format;

  EventPrinter(PrintWriter out, OutputFormat format) {
    this.out = out;
    this.format = format;
  }

  /** Prints an event with its facts, in the order of the map. */
  void print(String event, Map<String, String> facts) {
    String line = format == OutputFormat.json ? json(event, facts) : words(event, facts);
    synchronized (out) {
      out.println(line);
      out.flush();
    }
  }

  private static String words(String event, Map<String, String> facts) {
    StringBuilder line = new StringBuilder(event);
    facts.forEach(
        (name, value) -> line.append(' ').append(name).append('=').append(Text.word(value)));
    return line.toString();
  }

  private static String json(String event, Map<String, String> facts) {
    JsonObjectBuilder object = Json.createObjectBuilder().add("event", event);
    facts.forEach(object::add);
    return object.build().toString();
  }
}
