package dev.holdfast.cli;

import dev.holdfast.client.HoldfastClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.Spec.Target;

/** Where the gateway is and how to prove who one is, over gRPC. */
final class ClientOptions {
  @Spec(Target.MIXEE)
  private @Nullable CommandSpec spec;

  @Option(
      names = "--target",
      paramLabel = "HOST:PORT",
      defaultValue = "${env:HOLDFAST_TARGET}",
      description =
          "The gateway's gRPC address, or a gRPC name such as dns:///HOST:PORT."
              + " Default: HOLDFAST_TARGET.")
  private Optional<String> target = Optional.empty();

  @Option(
      names = "--api-key",
      paramLabel = "KEY",
      defaultValue = "${env:HOLDFAST_API_KEY}",
      description =
          "The API key. Other users can see it in the list of processes: better set"
              + " HOLDFAST_API_KEY, its default, or use --api-key-file.")
  private Optional<String> apiKey = Optional.empty();

  @Option(
      names = "--api-key-file",
      paramLabel = "FILE",
      description = "A file that holds the API key and nothing else.")
  private Optional<Path> apiKeyFile = Optional.empty();

  @Option(
      names = "--plaintext",
      description = "No TLS: everybody on the way can read the API key and every message.")
  private boolean plaintext;

  @Option(
      names = "--tls-ca",
      paramLabel = "PEM",
      description = "The authorities to trust instead of the JDK's.")
  private Optional<Path> trust = Optional.empty();

  @Option(
      names = "--tls-cert",
      paramLabel = "PEM",
      description = "This client's certificate chain, for mutual TLS; with --tls-key.")
  private Optional<Path> certificate = Optional.empty();

  @Option(
      names = "--tls-key",
      paramLabel = "PEM",
      description = "This client's private key: PKCS 8, not encrypted.")
  private Optional<Path> key = Optional.empty();

  /** A client as the options say. */
  HoldfastClient open() {
    HoldfastClient.Builder builder =
        HoldfastClient.builder()
            .target(target.orElseThrow(() -> usage("--target or HOLDFAST_TARGET must be set")));
    if (certificate.isPresent() != key.isPresent()) {
      throw usage("--tls-cert and --tls-key go together");
    }
    if (plaintext) {
      builder.plaintext();
    }
    trust.ifPresent(builder::trustCertificates);
    if (certificate.isPresent() && key.isPresent()) {
      builder.clientCertificate(certificate.get(), key.get());
    }
    try {
      return builder.apiKey(readKey()).build();
    } catch (IllegalArgumentException e) {
      throw usage(e.getMessage());
    }
  }

  private String readKey() {
    if (apiKeyFile.isEmpty()) {
      return apiKey.orElseThrow(() -> usage("--api-key-file or HOLDFAST_API_KEY must be set"));
    }
    try {
      return Files.readString(apiKeyFile.get()).strip();
    } catch (IOException e) {
      throw usage("the API key file can't be read: " + e.getMessage());
    }
  }

  private ParameterException usage(@Nullable String message) {
    return Usage.error(spec, message);
  }
}
