package dev.holdfast.cli;

import jakarta.json.Json;
import jakarta.json.JsonObject;
import jakarta.json.JsonString;
import jakarta.json.JsonValue;
import jakarta.json.JsonWriter;
import jakarta.json.stream.JsonGenerator;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;

/** A gateway's answer on its way to the command's output. */
record Answer(@Nullable CommandSpec spec, JsonObject json) {

  PrintWriter writer() {
    return Objects.requireNonNull(spec, "set by picocli").commandLine().getOut();
  }

  /** As the gateway gave it, indented. */
  void printJson() {
    StringWriter text = new StringWriter();
    Map<String, Boolean> indented = Map.of(JsonGenerator.PRETTY_PRINTING, true);
    try (JsonWriter out = Json.createWriterFactory(indented).createWriter(text)) {
      out.writeObject(json);
    }
    writer().println(text.toString().strip());
    writer().flush();
  }

  /** One line per member. */
  void printMembers() {
    Table table = new Table("FIELD", "VALUE");
    json.keySet().forEach(name -> table.row(name, text(json, name)));
    table.print(writer());
  }

  /** A member as text; a dash if it's missing, null or empty. */
  static String text(JsonObject object, String name) {
    JsonValue value = object.getOrDefault(name, JsonValue.NULL);
    String text =
        value instanceof JsonString string
            ? string.getString()
            : value == JsonValue.NULL ? "" : value.toString();
    return text.isEmpty() ? "-" : text;
  }
}
