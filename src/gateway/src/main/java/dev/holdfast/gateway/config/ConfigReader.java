package dev.holdfast.gateway.config;

import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
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
   */
  public static List<String> unknownKeys(Config config) {
    Set<String> known = ConfigKeys.all().stream().map(ConfigKey::name).collect(Collectors.toSet());
    return StreamSupport.stream(config.getPropertyNames().spliterator(), false)
        .filter(name -> name.startsWith(ConfigKeys.PREFIX))
        .filter(name -> !known.contains(name) && !SERVER_VARIABLES.contains(name))
        .sorted()
        .distinct()
        .toList();
  }
}
