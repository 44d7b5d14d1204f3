package dev.holdfast.cli;

import dev.holdfast.client.CloseReason;
import dev.holdfast.client.ConnectOptions;
import dev.holdfast.client.Connection;
import dev.holdfast.client.FileSessionStore;
import dev.holdfast.client.HoldfastClient;
import dev.holdfast.client.HoldfastException;
import dev.holdfast.client.Principal;
import java.io.InputStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Holds an identity until it is ended. */
@Command(
    name = "connect",
    header = "Holds an identity until it is ended.",
    description = {
      "",
      "Prints one line when the identity is held, when its state changes, and for every message"
          + " that arrives. Lines that are typed as IDENTITY TEXT are sent, and their receipts printed."
          + " Ctrl-C releases the identity.",
      ""
    })
final class ConnectCommand implements Callable<Integer> {
  @Spec private @Nullable CommandSpec spec;

  @Mixin private ClientOptions clientOptions = new ClientOptions();

  @Parameters(
      paramLabel = "KIND/PART...",
      converter = PrincipalConverter.class,
      description = {
        "Who connects:",
        "  agent/WORKSPACE/IMPLEMENTATION/SPECIFIER",
        "  unique-task/WORKSPACE/IMPLEMENTATION/SPECIFIER",
        "  task/WORKSPACE/IMPLEMENTATION",
        "  user/USER/WINDOW",
        "  workflow-engine",
        "  metrics-bridge",
        "  orchestrator/IMPLEMENTATION/SPECIFIER",
        "  service/IMPLEMENTATION/SPECIFIER",
        "%%XX stands for a byte that a part can't hold plainly, such as a slash."
      })
  private @Nullable Principal principal;

  @Option(
      names = "--session-file",
      paramLabel = "FILE",
      description = "Keeps the session here, and resumes it when started again.")
  private Optional<Path> sessionFile = Optional.empty();

  @Option(
      names = "--retry-on-duplicate",
      paramLabel = "TIME",
      converter = DurationConverter.class,
      defaultValue = "0s",
      description =
          "How long to wait for another holder to go away, such as 45s. Default: don't wait.")
  private Duration retryOnDuplicate = Duration.ZERO;

  @Option(
      names = "--connect-timeout",
      paramLabel = "TIME",
      converter = DurationConverter.class,
      defaultValue = "20s",
      description = "How long one attempt may take. Default: 20s.")
  private Duration connectTimeout = Duration.ZERO;

  @Option(names = "--no-reconnect", description = "Ends when the stream ends.")
  private boolean noReconnect;

  @Option(
      names = "--until-eof",
      description =
          "Releases the identity when the input has ended and every line has its receipt.")
  private boolean untilEof;

  @Option(
      names = "--output",
      paramLabel = "FORMAT",
      defaultValue = "table",
      description = "table: words, one line per event. json: one object per line. Default: table.")
  private OutputFormat output = OutputFormat.table;

  private final InputStream input;

  /** The command, reading the lines to send from {@code input}. */
  ConnectCommand(InputStream input) {
    this.input = input;
  }

  @Override
  public Integer call() {
    CommandSpec command = Objects.requireNonNull(spec, "set by picocli");
    HeldIdentity held = new HeldIdentity(new EventPrinter(command.commandLine().getOut(), output));
    ConnectOptions options = options(held);
    try (HoldfastClient client = clientOptions.open()) {
      Thread goodbye = new Thread(client::close, "holdfast-goodbye");
      Runtime.getRuntime().addShutdownHook(goodbye);
      try {
        return hold(client, options, held);
      } finally {
        forget(goodbye);
      }
    }
  }

  private ConnectOptions options(HeldIdentity held) {
    try {
      ConnectOptions.Builder options =
          ConnectOptions.builder()
              .listener(held)
              .retryOnDuplicate(retryOnDuplicate)
              .connectTimeout(connectTimeout)
              .reconnect(!noReconnect);
      sessionFile.ifPresent(file -> options.sessionStore(new FileSessionStore(file)));
      return options.build();
    } catch (IllegalArgumentException e) {
      throw Usage.error(spec, e.getMessage());
    }
  }

  private int hold(HoldfastClient client, ConnectOptions options, HeldIdentity held) {
    Connection connection;
    try {
      Principal who = Objects.requireNonNull(principal, "required");
      connection = client.connect(who, options).toCompletableFuture().join();
    } catch (CompletionException e) {
      if (e.getCause() instanceof HoldfastException refusal) {
        held.refused(refusal);
        return ExitCode.ofRefusal(refusal);
      }
      throw e;
    }
    new LineSender(input, connection, held, errors(), untilEof).start();
    CloseReason end = connection.closed().toCompletableFuture().join();
    held.closed(end);
    return ExitCode.ofEnd(end);
  }

  private java.io.PrintWriter errors() {
    return Objects.requireNonNull(spec, "set by picocli").commandLine().getErr();
  }

  private static void forget(Thread goodbye) {
    try {
      Runtime.getRuntime().removeShutdownHook(goodbye);
    } catch (IllegalStateException shuttingDown) {
      // Then the hook runs already, and closing twice does no harm.
    }
  }
}
