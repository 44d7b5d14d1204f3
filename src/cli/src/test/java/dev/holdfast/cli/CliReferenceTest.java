package dev.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Help.Ansi;

/** {@code docs/reference/cli.md} shows the usage of every command as the command prints it. */
class CliReferenceTest {
  private static final Path PAGE = Path.of("..", "..", "docs", "reference", "cli.md");
  private static final Path GENERATED = Path.of("target", "cli-usage.md");

  @Test
  void reference_holdsTheUsageOfEveryCommand() throws Exception {
    List<String> sections = new ArrayList<>();
    collect(HoldfastCommand.commandLine(InputStream.nullInputStream()), sections);
    Files.writeString(GENERATED, String.join("\n", sections));

    String page = Files.readString(PAGE);

    assertThat(sections)
        .as("copy the sections of src/cli/target/cli-usage.md into docs/reference/cli.md")
        .allSatisfy(section -> assertThat(page).contains(section));
    assertThat(page.lines().filter(line -> line.startsWith("Usage: "))).hasSameSizeAs(sections);
  }

  private static void collect(CommandLine command, List<String> sections) {
    String name = command.getCommandSpec().qualifiedName();
    String usage = command.getUsageMessage(Ansi.OFF).replace(System.lineSeparator(), "\n");
    sections.add("## " + name + "\n\n```\n" + usage.stripTrailing() + "\n```\n");
    command.getSubcommands().values().forEach(sub -> collect(sub, sections));
  }
}
