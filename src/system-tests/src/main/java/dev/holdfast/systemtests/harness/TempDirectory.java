package dev.holdfast.systemtests.harness;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** A directory of its own that {@link #close} deletes with all it holds; links are not followed. */
final class TempDirectory implements AutoCloseable {
  private final Path path;

  private TempDirectory(Path path) {
    this.path = path;
  }

  static TempDirectory create(String name) {
    try {
      Path path = Files.createTempDirectory("holdfast-" + name + "-");
      TempDirectory directory = new TempDirectory(path);
      AtExit.add(directory);
      return directory;
    } catch (IOException e) {
      throw new UncheckedIOException("no temporary directory for " + name, e);
    }
  }

  Path path() {
    return path;
  }

  @Override
  public void close() {
    AtExit.remove(this);
    try {
      for (Path file : content()) {
        Files.deleteIfExists(file);
      }
    } catch (IOException e) {
      throw new UncheckedIOException("cannot delete " + path, e);
    }
  }

  private List<Path> content() throws IOException {
    try (Stream<Path> files = Files.walk(path)) {
      return files.sorted(Comparator.reverseOrder()).toList();
    } catch (NoSuchFileException e) {
      return List.of(); // closed before
    }
  }
}
