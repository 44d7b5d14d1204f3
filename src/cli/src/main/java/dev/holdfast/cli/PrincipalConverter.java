package dev.holdfast.cli;

import dev.holdfast.client.Principal;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads a principal as its identity string is written: {@code KIND/part/part}. */
final class PrincipalConverter implements ITypeConverter<Principal> {
  private record Kind(int parts, Function<List<String>, Principal> create) {}

  private static final Map<String, Kind> KINDS =
      Map.of(
          "agent", new Kind(3, p -> new Principal.Agent(p.get(0), p.get(1), p.get(2))),
          "unique-task", new Kind(3, p -> new Principal.UniqueTask(p.get(0), p.get(1), p.get(2))),
          "task", new Kind(2, p -> new Principal.Task(p.get(0), p.get(1))),
          "user", new Kind(2, p -> new Principal.User(p.get(0), p.get(1))),
          "workflow-engine", new Kind(0, p -> new Principal.WorkflowEngine()),
          "metrics-bridge", new Kind(0, p -> new Principal.MetricsBridge()),
          "orchestrator", new Kind(2, p -> new Principal.Orchestrator(p.get(0), p.get(1))),
          "service", new Kind(2, p -> new Principal.Service(p.get(0), p.get(1))));

  @Override
  public Principal convert(String value) {
    String[] segments = value.split("/", -1);
    Kind kind = KINDS.get(segments[0]);
    if (kind == null) {
      throw new TypeConversionException(
          "'" + segments[0] + "' is no kind of principal; use one of " + kindNames());
    }
    if (segments.length - 1 != kind.parts()) {
      throw new TypeConversionException(
          "'%s' has %d parts, but '%s' gives it %d"
              .formatted(segments[0], kind.parts(), value, segments.length - 1));
    }
    List<String> parts = new ArrayList<>();
    for (int i = 1; i < segments.length; i++) {
      parts.add(decode(segments[i]));
    }
    return create(kind, parts);
  }

  private static Principal create(Kind kind, List<String> parts) {
    try {
      return kind.create().apply(parts);
    } catch (IllegalArgumentException e) {
      throw new TypeConversionException(e.getMessage());
    }
  }

  private static String kindNames() {
    return String.join(", ", KINDS.keySet().stream().sorted().toList());
  }

  /**
   * Percent escapes, as in identity strings, for what a part can't show plainly, such as a slash.
   */
  private static String decode(String segment) {
    ByteArrayOutputStream utf8 = new ByteArrayOutputStream();
    byte[] bytes = segment.getBytes(StandardCharsets.UTF_8);
    for (int i = 0; i < bytes.length; i++) {
      if (bytes[i] == '%') {
        utf8.write(hexAt(segment, bytes, i + 1));
        i += 2;
      } else {
        utf8.write(bytes[i]);
      }
    }
    return utf8.toString(StandardCharsets.UTF_8);
  }

  private static int hexAt(String segment, byte[] bytes, int index) {
    int high = index + 1 < bytes.length ? Character.digit(bytes[index], 16) : -1;
    int low = high >= 0 ? Character.digit(bytes[index + 1], 16) : -1;
    if (low < 0) {
      throw new TypeConversionException(
          "'" + segment + "' holds a percent sign without two hexadecimal digits");
    }
    return high * 16 + low;
  }
}
