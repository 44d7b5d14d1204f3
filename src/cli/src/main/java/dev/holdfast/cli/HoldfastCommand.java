package dev.holdfast.cli;

import java.io.InputStream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;

/** The {@code holdfast} command. */
@Command(
    name = "holdfast",
    header = "Holds identities on a Holdfast gateway, and administers it.",
    scope = ScopeType.INHERIT,
    mixinStandardHelpOptions = true,
    versionProvider = HoldfastCommand.Version.class,
    sortOptions = false,
    usageHelpWidth = 100,
    synopsisHeading = "Usage: ",
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:done",
      "1:failed",
      "2:the command line is wrong",
      "3:refused: another connection holds the identity",
      "4:the API key, the password or its rights don't suffice",
      "5:no gateway could be reached, or it can't serve just now",
      "6:the identity was held, and then lost or ended by force"
    })
final class HoldfastCommand implements Runnable {
  @Spec private @Nullable CommandSpec spec;

  /** The command with all its subcommands; {@code input} holds the lines to send. */
  static CommandLine commandLine(InputStream input) {
    return new CommandLine(new HoldfastCommand())
        .addSubcommand(new ConnectCommand(input))
        .addSubcommand(new ConnectionsCommand())
        .addSubcommand(new GatewaysCommand())
        .addSubcommand(new KeysCommand())
        .setExecutionExceptionHandler(HoldfastCommand::explain);
  }

  @Override
  public void run() {
    throw Usage.error(spec, "say what to do: connect, connections, gateways or keys");
  }

  private static int explain(Exception thrown, CommandLine command, CommandLine.ParseResult parsed)
      throws Exception {
    if (thrown instanceof CommandFailure failure) {
      command.getErr().println(failure.getMessage());
      command.getErr().flush();
      return failure.exitCode();
    }
    throw thrown;
  }

  /** Reads the version from the jar. */
  static final class Version implements IVersionProvider {
    @Override
    public String[] getVersion() {
      String packaged = HoldfastCommand.class.getPackage().getImplementationVersion();
      return new String[] {"holdfast " + (packaged == null ? "unpackaged" : packaged)};
    }
  }
}
