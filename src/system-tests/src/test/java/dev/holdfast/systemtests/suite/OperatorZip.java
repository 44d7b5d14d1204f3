package dev.holdfast.systemtests.suite;

import dev.holdfast.systemtests.harness.ChildProcess;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;

/** The server as operators get it, unpacked into a folder of its own. */
public final class OperatorZip implements AutoCloseable {
  private final Path directory;

  /**
   * Unpacks the zip that the build has made.
   *
   * @throws IllegalStateException if there is none
   */
  public OperatorZip() {
    try (InputStream in = Files.newInputStream(newest(Repository.find("liberty/target")));
        ZipInputStream entries = new ZipInputStream(in)) {
      directory = Files.createTempDirectory("holdfast-zip-");
      for (ZipEntry entry = entries.getNextEntry(); entry != null; entry = entries.getNextEntry()) {
        unpack(entries, entry);
      }
    } catch (IOException e) {
      throw new UncheckedIOException("cannot unpack the server", e);
    }
  }

  /** Starts the server, configured by environment variables only. */
  public ChildProcess start(Map<String, String> environment) {
    Path script = find("server");
    ProcessBuilder command = new ProcessBuilder("sh", script.toString(), "run", "holdfast");
    command.environment().keySet().removeIf(OperatorZip::wouldChangeTheServer);
    command.environment().put("JAVA_HOME", System.getProperty("java.home"));
    command.environment().putAll(environment);
    return ChildProcess.start("operators-server", command);
  }

  @Override
  public void close() {
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    } catch (IOException e) {
      throw new UncheckedIOException("cannot delete " + directory, e);
    }
  }

  /** Returns the names of all files that the zip holds. */
  public List<String> files() {
    try (Stream<Path> files = Files.walk(directory)) {
      return files.map(file -> directory.relativize(file).toString()).toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void unpack(ZipInputStream entries, ZipEntry entry) throws IOException {
    Path target = directory.resolve(entry.getName()).normalize();
    if (!target.startsWith(directory)) {
      throw new IOException("the zip holds " + entry.getName());
    }
    if (entry.isDirectory()) {
      Files.createDirectories(target);
    } else {
      Files.createDirectories(directory.resolve(entry.getName()).resolve("..").normalize());
      Files.copy(entries, target);
    }
  }

  private Path find(String script) {
    String wanted = "bin/" + script;
    return files().stream()
        .filter(file -> file.endsWith(wanted))
        .map(directory::resolve)
        .findFirst()
        .orElseThrow(() -> new IllegalStateException("the zip has no " + wanted));
  }

  private static Path newest(Path target) {
    try (Stream<Path> files = Files.list(target)) {
      return files
          .filter(file -> file.getFileName().toString().matches("holdfast-server-.*\\.zip"))
          .findFirst()
          .orElseThrow(() -> new IllegalStateException("no server zip in " + target));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static boolean wouldChangeTheServer(String variable) {
    return variable.startsWith("HOLDFAST_")
        || variable.startsWith("WLP_")
        || variable.startsWith("JVM_");
  }
}
