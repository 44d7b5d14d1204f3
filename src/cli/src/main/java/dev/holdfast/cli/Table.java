package dev.holdfast.cli;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;

/** Rows under a header, in columns as wide as their widest cell. */
final class Table {
  private static final String GAP = "  ";

  private final List<List<String>> rows = new ArrayList<>();
  private final int[] widths;

  Table(String... header) {
    widths = new int[header.length];
    row(header);
  }

  /** Adds a row of as many cells as the header has. */
  void row(String... cells) {
    List<String> row = new ArrayList<>();
    for (int i = 0; i < widths.length; i++) {
      String cell = Text.printable(cells[i]);
      widths[i] = Math.max(widths[i], cell.length());
      row.add(cell);
    }
    rows.add(row);
  }

  void print(PrintWriter out) {
    for (List<String> row : rows) {
      StringBuilder line = new StringBuilder();
      for (int i = 0; i < widths.length; i++) {
        String cell = row.get(i);
        line.append(cell).append(" ".repeat(widths[i] - cell.length())).append(GAP);
      }
      out.println(line.toString().stripTrailing());
    }
    out.flush();
  }
}
