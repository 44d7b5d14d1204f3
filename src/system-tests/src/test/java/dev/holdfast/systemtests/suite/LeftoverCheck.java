package dev.holdfast.systemtests.suite;

import dev.holdfast.systemtests.harness.Ports;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.awaitility.Awaitility;

/** Fails when it is closed while a process, a port or a file of the tests is left. */
final class LeftoverCheck implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  /** The build gives the tests a folder for temporary files of their own. */
  private final Path temporary = Path.of(System.getProperty("java.io.tmpdir"));

  /** What an earlier run has left that was killed itself. */
  private final Set<Path> before = Set.copyOf(files());

  @Override
  public void close() {
    Awaitility.await("the end of everything that the tests started")
        .atMost(PATIENCE)
        .untilAsserted(this::check);
  }

  private void check() {
    List<String> processes = Stream.concat(children(), orphans()).toList();
    Set<Integer> ports = Ports.inUse();
    List<Path> files = files();
    files.removeAll(before);
    if (!processes.isEmpty() || !ports.isEmpty() || !files.isEmpty()) {
      throw new AssertionError(
          "left behind: processes %s, ports %s, files %s".formatted(processes, ports, files));
    }
  }

  private static Stream<String> children() {
    return ProcessHandle.current().descendants().map(LeftoverCheck::describe);
  }

  /** Returns what no longer has a parent, but was started from a folder of the tests. */
  private Stream<String> orphans() {
    Set<ProcessHandle> starters = // whose command lines name the folder as well
        Stream.iterate(
                Optional.of(ProcessHandle.current()),
                Optional::isPresent,
                process -> process.flatMap(ProcessHandle::parent))
            .flatMap(Optional::stream)
            .collect(Collectors.toSet());
    return ProcessHandle.allProcesses()
        .filter(process -> !starters.contains(process))
        .map(LeftoverCheck::describe)
        .filter(text -> text.contains(temporary.toString()));
  }

  private static String describe(ProcessHandle process) {
    return process.pid() + " " + process.info().commandLine().orElse("");
  }

  private List<Path> files() {
    try (Stream<Path> all = Files.list(temporary)) {
      return all.filter(path -> path.getFileName().toString().startsWith("holdfast-"))
          .collect(Collectors.toCollection(ArrayList::new));
    } catch (IOException e) {
      throw new UncheckedIOException("cannot list " + temporary, e);
    }
  }
}
