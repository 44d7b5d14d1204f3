package dev.holdfast.cli;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.Spec.Target;

/** Where the admin API is and who asks. */
final class AdminOptions {
  @Spec(Target.MIXEE)
  private @Nullable CommandSpec spec;

  @Option(
      names = "--admin-url",
      paramLabel = "URL",
      defaultValue = "${env:HOLDFAST_ADMIN_URL}",
      description =
          "A gateway's HTTP address, such as https://HOST:9443. Default: HOLDFAST_ADMIN_URL.")
  private Optional<String> url = Optional.empty();

  @Option(
      names = "--user",
      paramLabel = "NAME",
      defaultValue = "${env:HOLDFAST_ADMIN_USER}",
      description = "An administrator. Default: HOLDFAST_ADMIN_USER.")
  private Optional<String> user = Optional.empty();

  @Option(
      names = "--password",
      paramLabel = "PASSWORD",
      defaultValue = "${env:HOLDFAST_ADMIN_PASSWORD}",
      description =
          "Other users can see it in the list of processes: better set"
              + " HOLDFAST_ADMIN_PASSWORD, its default, or use --password-file.")
  private Optional<String> password = Optional.empty();

  @Option(
      names = "--password-file",
      paramLabel = "FILE",
      description = "A file that holds the password and nothing else.")
  private Optional<Path> passwordFile = Optional.empty();

  @Option(
      names = "--admin-ca",
      paramLabel = "PEM",
      description = "The authorities to trust for https instead of the JDK's.")
  private Optional<Path> trust = Optional.empty();

  @Option(
      names = "--output",
      paramLabel = "FORMAT",
      defaultValue = "table",
      description = "table or json. Default: table.")
  private OutputFormat output = OutputFormat.table;

  OutputFormat output() {
    return output;
  }

  /** The admin API as the options say. */
  AdminApi open() {
    String where = url.orElseThrow(() -> usage("--admin-url or HOLDFAST_ADMIN_URL must be set"));
    String who = user.orElseThrow(() -> usage("--user or HOLDFAST_ADMIN_USER must be set"));
    try {
      return AdminApi.open(URI.create(where), who, readPassword(), trust);
    } catch (IllegalArgumentException e) {
      throw usage(e.getMessage());
    }
  }

  private String readPassword() {
    if (passwordFile.isEmpty()) {
      return password.orElseThrow(
          () -> usage("--password-file or HOLDFAST_ADMIN_PASSWORD must be set"));
    }
    try {
      return Files.readString(passwordFile.get()).strip();
    } catch (IOException e) {
      throw usage("the password file can't be read: " + e.getMessage());
    }
  }

  private ParameterException usage(@Nullable String message) {
    return Usage.error(spec, message);
  }
}
