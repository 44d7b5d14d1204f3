package dev.holdfast.cli;

import jakarta.json.Json;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Makes API keys. */
@Command(name = "keys", header = "Makes API keys.", subcommands = KeysCommand.Create.class)
final class KeysCommand implements Runnable {
  @Spec private @Nullable CommandSpec spec;

  @Override
  public void run() {
    throw Usage.error(spec, "say what to do: create");
  }

  /** Makes an API key. */
  @Command(
      name = "create",
      header = "Makes an API key and the line for the gateway's key file.",
      description = {
        "",
        "The key is printed once and kept nowhere: the gateway knows only its hash. Needs no"
            + " gateway.",
        ""
      })
  static final class Create implements Callable<Integer> {
    private static final int KEY_BYTES = 32;
    private static final Pattern ID = Pattern.compile("[A-Za-z0-9._-]{1,64}");
    private static final Pattern IDENTITY_PATTERN =
        Pattern.compile(
            "(\\*\\*|([A-Za-z0-9._%-]+\\*?|\\*)(/([A-Za-z0-9._%-]+\\*?|\\*))*(/\\*\\*)?)");

    @Spec private @Nullable CommandSpec spec;

    @Parameters(
        index = "0",
        paramLabel = "ID",
        description = "The key's public name: 1 to 64 letters, digits, '.', '_' and '-'.")
    private String id = "";

    @Parameters(
        index = "1..*",
        arity = "1..*",
        paramLabel = "PATTERN",
        description = {
          "The identities that the key may hold, such as agent/acme/*/*. A star ends a segment and"
              + " stands for the rest of it; a last segment ** stands for all that follow."
        })
    private List<String> patterns = new ArrayList<>();

    @Option(
        names = "--output",
        paramLabel = "FORMAT",
        defaultValue = "table",
        description = "table or json. Default: table.")
    private OutputFormat output = OutputFormat.table;

    private final SecureRandom random = new SecureRandom();

    @Override
    public Integer call() throws GeneralSecurityException {
      check();
      byte[] secret = new byte[KEY_BYTES];
      random.nextBytes(secret);
      String key = "hf_" + Base64.getUrlEncoder().withoutPadding().encodeToString(secret);
      String line = id + " sha256:" + sha256(key) + " " + String.join(",", patterns);
      PrintWriter out = Objects.requireNonNull(spec, "set by picocli").commandLine().getOut();
      if (output == OutputFormat.json) {
        out.println(
            Json.createObjectBuilder().add("id", id).add("key", key).add("line", line).build());
      } else {
        out.println("key   " + key);
        out.println("line  " + line);
      }
      out.flush();
      return ExitCode.OK;
    }

    private void check() {
      if (!ID.matcher(id).matches()) {
        throw Usage.error(spec, "'" + Text.printable(id) + "' is no key id");
      }
      for (String pattern : patterns) {
        if (!IDENTITY_PATTERN.matcher(pattern).matches()) {
          throw Usage.error(spec, "'" + Text.printable(pattern) + "' is no identity pattern");
        }
      }
    }

    private static String sha256(String key) throws GeneralSecurityException {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      return HexFormat.of().formatHex(digest.digest(key.getBytes(StandardCharsets.UTF_8)));
    }
  }
}
