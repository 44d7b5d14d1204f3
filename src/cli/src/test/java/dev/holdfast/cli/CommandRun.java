package dev.holdfast.cli;

import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import picocli.CommandLine;

/** One run of the command, inside the test's process. */
record CommandRun(int exitCode, String out, String err) {

  static CommandRun of(String... args) {
    return withInput("", args);
  }

  static CommandRun withInput(String input, String... args) {
    return withInput(new ByteArrayInputStream(input.getBytes(StandardCharsets.UTF_8)), args);
  }

  static CommandRun withInput(InputStream input, String... args) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    CommandLine command =
        HoldfastCommand.commandLine(input)
            .setOut(new PrintWriter(out, true))
            .setErr(new PrintWriter(err, true));
    int exitCode = command.execute(args);
    return new CommandRun(exitCode, out.toString(), err.toString());
  }
}
