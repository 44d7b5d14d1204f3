package dev.holdfast.systemtests.harness;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Starts Java programs, such as clients that are to be killed, on this JVM's own class path. */
public final class JavaProcess {
  private JavaProcess() {}

  /**
   * Starts the main method of {@code program} in a JVM of its own.
   *
   * @param environment variables added to those of this JVM
   */
  public static ChildProcess start(
      Class<?> program, List<String> arguments, Map<String, String> environment) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("-XX:TieredStopAtLevel=1"); // starts sooner; such programs are short-lived
    command.add("-XX:+UseSerialGC");
    command.add("-Xmx128m");
    command.add("-cp");
    command.add(System.getProperty("java.class.path"));
    command.add(program.getName());
    command.addAll(arguments);
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.environment().putAll(environment);
    return ChildProcess.start(program.getSimpleName(), builder);
  }

  /** Starts the main method of {@code program} in a JVM of its own. */
  public static ChildProcess start(Class<?> program, String... arguments) {
    return start(program, List.of(arguments), Map.of());
  }
}
