package dev.holdfast.gateway.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A Markdown table of the reference, as a test expects it and as it stands in the file. */
public final class ReferenceTable {
  private static final Path REFERENCE = Path.of("..", "..", "docs", "reference");

  private final List<String> lines = new ArrayList<>();

  /** Starts a table with its column names. */
  public ReferenceTable(String... columns) {
    row(columns);
    lines.add("|" + " --- |".repeat(columns.length));
  }

  /** Adds a row. */
  public ReferenceTable row(String... cells) {
    lines.add("| " + String.join(" | ", cells) + " |");
    return this;
  }

  /** Returns the lines of the table. */
  public List<String> lines() {
    return List.copyOf(lines);
  }

  /** Returns the lines of the first table in a file of the reference. */
  public static List<String> firstIn(String file) {
    try {
      return Files.readAllLines(REFERENCE.resolve(file)).stream()
          .dropWhile(line -> !line.startsWith("|"))
          .takeWhile(line -> line.startsWith("|"))
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException("the reference page " + file + " cannot be read", e);
    }
  }
}
