package dev.holdfast.systemtests.suite;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Files of the checkout that is tested. */
public final class Repository {
  private Repository() {}

  /**
   * Finds a file or folder.
   *
   * @param place relative to the root of the checkout
   * @throws IllegalStateException if there is none
   */
  public static Path find(String place) {
    Path start = Path.of("").toAbsolutePath();
    for (Path parent = start; parent != null; parent = parent.getParent()) {
      Path candidate = parent.resolve(place);
      if (Files.exists(candidate)) {
        return candidate;
      }
    }
    throw new IllegalStateException("no %s above %s".formatted(place, start));
  }

  /** Reads a text file. */
  public static List<String> lines(String place) {
    try {
      return Files.readAllLines(find(place));
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read " + place, e);
    }
  }
}
