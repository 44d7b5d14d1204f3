package dev.holdfast.systemtests.harness;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The configuration and output of one server process, beside the one installation that all
 * processes share.
 */
final class ServerDirectory implements AutoCloseable {
  private static final String NAME = "holdfast";

  /** Links, so that a process does not copy the application. */
  private static final List<String> LINKED =
      List.of("embedded-redis", "configDropins/defaults", "jvm.options", "server.xml");

  private final TempDirectory directory;

  private ServerDirectory(TempDirectory directory) {
    this.directory = directory;
  }

  /**
   * Prepares a server.
   *
   * @param overrides parts of a {@code server.xml}, by file name
   * @param application the WAR to deploy; empty for the gateway
   */
  static ServerDirectory create(
      Map<String, String> settings, Map<String, String> overrides, Optional<Path> application) {
    TempDirectory directory = TempDirectory.create("gateway");
    try {
      Path source = Installation.directory().resolve("usr/servers").resolve(NAME);
      Path server = directory.path().resolve("usr/servers").resolve(NAME);
      Path dropins = Files.createDirectories(server.resolve("configDropins/overrides"));
      for (Map.Entry<String, String> override : overrides.entrySet()) {
        Files.writeString(dropins.resolve(override.getKey()), override.getValue());
      }
      for (String file : LINKED) {
        if (Files.exists(source.resolve(file))) {
          Files.createSymbolicLink(server.resolve(file), source.resolve(file));
        }
      }
      Files.createDirectory(directory.path().resolve("tmp"));
      Path apps = Files.createDirectory(server.resolve("apps"));
      Path war = application.orElse(source.resolve("apps/holdfast.war"));
      Files.createSymbolicLink(apps.resolve("holdfast.war"), war.toAbsolutePath());
      Path properties = server.resolve("bootstrap.properties");
      Files.copy(source.resolve("bootstrap.properties"), properties);
      Files.write(properties, lines(settings), StandardOpenOption.APPEND);
      return new ServerDirectory(directory);
    } catch (IOException e) {
      directory.close();
      throw new UncheckedIOException("cannot prepare a server in " + directory.path(), e);
    }
  }

  /** Returns the command that becomes the server's JVM, without a process in between. */
  ProcessBuilder command(String heap) {
    Path script = Installation.directory().resolve("bin/server");
    ProcessBuilder command = new ProcessBuilder(script.toString(), "run", NAME);
    Map<String, String> environment = command.environment();
    environment.keySet().removeIf(ServerDirectory::wouldChangeTheServer);
    environment.put("JAVA_HOME", System.getProperty("java.home"));
    environment.put("JVM_ARGS", heap + " -Djava.io.tmpdir=" + directory.path().resolve("tmp"));
    environment.put("WLP_USER_DIR", directory.path().resolve("usr").toString());
    environment.put("WLP_OUTPUT_DIR", directory.path().resolve("output").toString());
    return command;
  }

  Path log() {
    return directory.path().resolve("output").resolve(NAME).resolve("logs/messages.log");
  }

  @Override
  public void close() {
    directory.close();
  }

  private static boolean wouldChangeTheServer(String variable) {
    return variable.startsWith("HOLDFAST_")
        || variable.startsWith("WLP_")
        || variable.startsWith("JVM_");
  }

  private static List<String> lines(Map<String, String> settings) {
    List<String> lines = new ArrayList<>();
    settings.forEach((key, value) -> lines.add(key + "=" + value.replace("\\", "\\\\")));
    return lines;
  }
}
