package dev.holdfast.gateway.config;

import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.eclipse.microprofile.config.Config;

/** Reads the gateway's keys from MicroProfile Config, once. */
public final class ConfigReader {
  // Variables of the server configuration that ships with the gateway; Liberty shows all variables
  // to MicroProfile Config.
  private static final Set<String> SERVER_VARIABLES =
      Set.of(
          "holdfast.http.host",
          "holdfast.http.port",
          "holdfast.https.port",
          "holdfast.admin.user",
          "holdfast.admin.password",
          "holdfast.keystore.password");

  private ConfigReader() {}

  /**
   * Reads every key.
   *
   * @throws ConfigException for the first key that is wrong
   */
  public static GatewayConfig read(Config config) {
    return GatewayConfig.read(name -> config.getOptionalValue(name, String.class));
  }

  /**
   * Lists what stands under the gateway's prefix and is none of its keys, in alphabetical order.
   *
   * <p>Liberty shows the environment variable of a key under a name of its own, in which every
   * underscore is a dot; so names that differ in their separators only count as one.
   */
  public static List<String> unknownKeys(Config config) {
    Set<String> known =
        Stream.concat(ConfigKeys.all().stream().map(ConfigKey::name), SERVER_VARIABLES.stream())
            .map(ConfigReader::withDotsOnly)
            .collect(Collectors.toSet());
    return StreamSupport.stream(config.getPropertyNames().spliterator(), false)
        .filter(name -> name.startsWith(ConfigKeys.PREFIX))
        .filter(name -> !known.contains(withDotsOnly(name)))
        .sorted()
        .distinct()
        .toList();
  }

  private static String withDotsOnly(String name) {
    return name.replace('-', '.').replace('_', '.');
  }
}
