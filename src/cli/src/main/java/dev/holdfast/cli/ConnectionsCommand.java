package dev.holdfast.cli;

import jakarta.json.JsonObject;
import jakarta.json.JsonString;
import java.io.PrintWriter;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Lists, shows and ends connections, of the whole cluster. */
@Command(
    name = "connections",
    header = "Lists, shows and ends connections, of the whole cluster.",
    subcommands = {
      ConnectionsCommand.Ls.class,
      ConnectionsCommand.Show.class,
      ConnectionsCommand.Kick.class
    })
final class ConnectionsCommand implements Runnable {
  @Spec private @Nullable CommandSpec spec;

  @Override
  public void run() {
    throw Usage.error(spec, "say what to do: ls, show or kick");
  }

  /** Lists connections. */
  @Command(name = "ls", header = "Lists the live connections.")
  static final class Ls implements Callable<Integer> {
    @Spec private @Nullable CommandSpec spec;
    @Mixin private AdminOptions admin = new AdminOptions();

    @Override
    public Integer call() {
      JsonObject answer = admin.open().connections();
      Answer out = new Answer(spec, answer);
      if (admin.output() == OutputFormat.json) {
        out.printJson();
      } else {
        Table table =
            new Table("SESSION", "IDENTITY", "STATE", "TOKEN", "GATEWAY", "CONNECTED", "QUEUED");
        for (JsonObject one : answer.getJsonArray("connections").getValuesAs(JsonObject.class)) {
          table.row(
              Answer.text(one, "session_id"),
              Answer.text(one, "identity"),
              Answer.text(one, "state"),
              Answer.text(one, "fencing_token"),
              Answer.text(one, "gateway_id"),
              Answer.text(one, "connected_at"),
              Answer.text(one, "queued_messages"));
        }
        table.print(out.writer());
      }
      warnOfSilence(answer);
      return ExitCode.OK;
    }

    private void warnOfSilence(JsonObject answer) {
      if (!answer.containsKey("unreachable_gateways")) {
        return;
      }
      PrintWriter errors = Objects.requireNonNull(spec, "set by picocli").commandLine().getErr();
      for (JsonString id :
          answer.getJsonArray("unreachable_gateways").getValuesAs(JsonString.class)) {
        errors.println(
            "gateway "
                + Text.printable(id.getString())
                + " did not answer: the list lacks its connections");
      }
      errors.flush();
    }
  }

  /** Shows one connection. */
  @Command(name = "show", header = "Shows one connection.")
  static final class Show implements Callable<Integer> {
    @Spec private @Nullable CommandSpec spec;
    @Mixin private AdminOptions admin = new AdminOptions();

    @Parameters(paramLabel = "SESSION", description = "The session id of the connection.")
    private String sessionId = "";

    @Override
    public Integer call() {
      Answer out = new Answer(spec, admin.open().connection(sessionId));
      if (admin.output() == OutputFormat.json) {
        out.printJson();
      } else {
        out.printMembers();
      }
      return ExitCode.OK;
    }
  }

  /** Ends one connection. */
  @Command(
      name = "kick",
      header = "Ends one connection, and returns when its identity is released.")
  static final class Kick implements Callable<Integer> {
    @Spec private @Nullable CommandSpec spec;
    @Mixin private AdminOptions admin = new AdminOptions();

    @Parameters(paramLabel = "SESSION", description = "The session id of the connection.")
    private String sessionId = "";

    @Override
    public Integer call() {
      admin.open().endConnection(sessionId);
      PrintWriter out = Objects.requireNonNull(spec, "set by picocli").commandLine().getOut();
      new EventPrinter(out, admin.output())
          .print("disconnected", java.util.Map.of("session", sessionId));
      return ExitCode.OK;
    }
  }
}
