package dev.holdfast.gateway.config;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Every configuration key of the gateway, under the prefix {@code holdfast.}. */
public final class ConfigKeys {
  /** The prefix of every key. */
  public static final String PREFIX = "holdfast.";

  private static final Pattern DURATION = Pattern.compile("(\\d+)(ms|s|m|h)");
  private static final Pattern SIZE = Pattern.compile("(\\d+)(B|KiB|MiB)?");
  private static final Pattern GATEWAY_ID = Pattern.compile("[A-Za-z0-9._-]{1,64}");

  public static final ConfigKey<Optional<String>> GATEWAY_ID_KEY =
      new ConfigKey<>(
          "holdfast.gateway.id",
          "text",
          "",
          "1 to 64 letters, digits, '.', '_' or '-'",
          "Names this gateway in listings and in the locks it holds; unique in the deployment."
              + " Without it, a random name is made at each start.",
          optional(ConfigKeys::gatewayId));

  public static final ConfigKey<Optional<String>> ADVERTISED_ADDRESS =
      text(
          "holdfast.gateway.advertised-address",
          "",
          "Where clients reach the gRPC port, as shown in `GET /api/gateways`. Without it, the"
              + " address and port that the gateway listens on.");

  public static final ConfigKey<String> GRPC_HOST =
      required(
          "holdfast.grpc.host",
          "127.0.0.1",
          "a host name or address",
          "The address on which the gRPC port listens.");

  public static final ConfigKey<Integer> GRPC_PORT =
      integer("holdfast.grpc.port", "7400", 0, 65_535, "The gRPC port; 0 chooses a free one.");

  public static final ConfigKey<Optional<String>> GRPC_SSL =
      text(
          "holdfast.grpc.ssl",
          "",
          "The id of the Liberty `<ssl>` element whose key and trust stores the gRPC port uses."
              + " Without it, the port speaks plaintext.");

  public static final ConfigKey<ClientAuth> GRPC_CLIENT_AUTH =
      new ConfigKey<>(
          "holdfast.grpc.client-auth",
          "one of",
          "none",
          "`none`, `optional`, `required`",
          "Whether clients must show a certificate (mTLS) that the trust store accepts.",
          ClientAuth::parse);

  public static final ConfigKey<Boolean> GRPC_ALLOW_PLAINTEXT =
      flag(
          "holdfast.grpc.allow-plaintext",
          "false",
          "Allows plaintext on an address other than loopback. API keys then cross the network"
              + " unprotected.");

  public static final ConfigKey<Boolean> GRPC_REFLECTION =
      flag("holdfast.grpc.reflection", "true", "Serves gRPC server reflection.");

  public static final ConfigKey<Duration> KEEPALIVE_TIME =
      duration(
          "holdfast.grpc.keepalive-time",
          "10s",
          Duration.ofSeconds(10), // grpc-java raises whatever is less to this
          Duration.ofHours(1),
          "After how long a silence the gateway pings a client's HTTP/2 connection.");

  public static final ConfigKey<Duration> KEEPALIVE_TIMEOUT =
      duration(
          "holdfast.grpc.keepalive-timeout",
          "5s",
          Duration.ofMillis(100),
          Duration.ofMinutes(5),
          "How long the answer to such a ping may take before the connection counts as dead.");

  public static final ConfigKey<Duration> INIT_TIMEOUT =
      duration(
          "holdfast.connection.init-timeout",
          "5s",
          Duration.ofMillis(100),
          Duration.ofMinutes(1),
          "How long a new stream may take to send its first frame.");

  public static final ConfigKey<Integer> MAX_CONNECTIONS =
      integer(
          "holdfast.connection.max",
          "50000",
          1,
          1_000_000,
          "How many connections this gateway holds at most.");

  public static final ConfigKey<Duration> LOCK_TTL =
      duration(
          "holdfast.lock.ttl",
          "30s",
          Duration.ofSeconds(1),
          Duration.ofMinutes(10),
          "How long a lock outlives a gateway that no longer refreshes it.");

  public static final ConfigKey<Duration> LOCK_REFRESH_INTERVAL =
      duration(
          "holdfast.lock.refresh-interval",
          "10s",
          Duration.ofMillis(100),
          Duration.ofMinutes(5),
          "How often every held lock is refreshed; at most half of what the safety margin leaves of"
              + " the TTL.");

  public static final ConfigKey<Duration> LOCK_SAFETY_MARGIN =
      duration(
          "holdfast.lock.safety-margin",
          "2s",
          Duration.ofMillis(50),
          Duration.ofMinutes(1),
          "How long before Redis may expire a lock the gateway stops serving its connection.");

  public static final ConfigKey<Duration> REDIS_COMMAND_TIMEOUT =
      duration(
          "holdfast.redis.command-timeout",
          "2s",
          Duration.ofMillis(50),
          Duration.ofMinutes(1),
          "How long one answer of Redis may take, retries included.");

  public static final ConfigKey<Optional<String>> REDIS_URL =
      new ConfigKey<>(
          "holdfast.redis.url",
          "URL",
          "",
          "`redis://[user:password@]host:port[/database]`, or `rediss://…` for TLS",
          "A single Redis server. Without this key and `holdfast.redis.config-file`, the trial"
              + " server starts an embedded Redis.",
          optional(ConfigKeys::redisUrl));

  public static final ConfigKey<Optional<Path>> REDIS_CONFIG_FILE =
      new ConfigKey<>(
          "holdfast.redis.config-file",
          "path",
          "",
          "a readable file",
          "Redisson's own YAML configuration: for Sentinel, Cluster, and everything else that a URL"
              + " cannot say.",
          optional(Path::of));

  public static final ConfigKey<Optional<Path>> ACCESS_KEY_FILE =
      new ConfigKey<>(
          "holdfast.access.key-file",
          "path",
          "",
          "a readable file",
          "The API keys, hashed, one a line: `ID sha256:HASH PATTERN,PATTERN`. Read again when it"
              + " changes. Without it nobody may connect, save with the trial key that is printed"
              + " when Redis is the embedded one.",
          optional(Path::of));

  public static final ConfigKey<Integer> MAX_PAYLOAD =
      size(
          "holdfast.message.max-payload",
          "256KiB",
          1024,
          16 * 1024 * 1024,
          "The largest message payload.");

  public static final ConfigKey<Integer> QUEUE_CAPACITY =
      integer(
          "holdfast.message.queue-capacity",
          "256",
          1,
          1_000_000,
          "How many messages may wait for one receiver that reads slowly, and how many of one sender"
              + " may be under way to other gateways.");

  public static final ConfigKey<Integer> QUEUE_BYTES =
      size(
          "holdfast.message.queue-bytes",
          "4MiB",
          1024,
          1024 * 1024 * 1024,
          "How many bytes of messages may wait for one receiver that reads slowly; one message"
              + " always fits.");

  public static final ConfigKey<Duration> DELIVERY_TIMEOUT =
      duration(
          "holdfast.message.delivery-timeout",
          "5s",
          Duration.ofMillis(100),
          Duration.ofMinutes(1),
          "How long another gateway may take to answer for a message.");

  public static final ConfigKey<Duration> ADMIN_TIMEOUT =
      duration(
          "holdfast.admin.timeout",
          "5s",
          Duration.ofMillis(100),
          Duration.ofMinutes(1),
          "How long the REST API waits for the other gateways of the deployment.");

  public static final ConfigKey<Duration> SHUTDOWN_TIMEOUT =
      duration(
          "holdfast.shutdown.timeout",
          "20s",
          Duration.ofSeconds(1),
          Duration.ofSeconds(25),
          "How long a stop may take to tell clients and release every lock.");

  private static final List<ConfigKey<?>> ALL =
      List.of(
          GATEWAY_ID_KEY,
          ADVERTISED_ADDRESS,
          GRPC_HOST,
          GRPC_PORT,
          GRPC_SSL,
          GRPC_CLIENT_AUTH,
          GRPC_ALLOW_PLAINTEXT,
          GRPC_REFLECTION,
          KEEPALIVE_TIME,
          KEEPALIVE_TIMEOUT,
          INIT_TIMEOUT,
          MAX_CONNECTIONS,
          LOCK_TTL,
          LOCK_REFRESH_INTERVAL,
          LOCK_SAFETY_MARGIN,
          REDIS_URL,
          REDIS_CONFIG_FILE,
          REDIS_COMMAND_TIMEOUT,
          ACCESS_KEY_FILE,
          MAX_PAYLOAD,
          QUEUE_CAPACITY,
          QUEUE_BYTES,
          DELIVERY_TIMEOUT,
          ADMIN_TIMEOUT,
          SHUTDOWN_TIMEOUT);

  private ConfigKeys() {}

  /** Returns every key, in the order of the reference. */
  public static List<ConfigKey<?>> all() {
    return ALL;
  }

  private static ConfigKey<Duration> duration(
      String name, String defaultText, Duration min, Duration max, String meaning) {
    String range = "%s to %s".formatted(show(min), show(max));
    return new ConfigKey<>(
        name, "duration", defaultText, range, meaning, text -> durationWithin(text, min, max));
  }

  private static ConfigKey<Integer> integer(
      String name, String defaultText, int min, int max, String meaning) {
    return new ConfigKey<>(
        name,
        "number",
        defaultText,
        min + " to " + max,
        meaning,
        text -> within(Integer.parseInt(text), min, max));
  }

  private static ConfigKey<Integer> size(
      String name, String defaultText, int min, int max, String meaning) {
    return new ConfigKey<>(
        name,
        "size",
        defaultText,
        "%dB to %dMiB, written as `512B`, `64KiB` or `4MiB`".formatted(min, max >> 20),
        meaning,
        text -> within(bytes(text), min, max));
  }

  private static ConfigKey<Boolean> flag(String name, String defaultText, String meaning) {
    return new ConfigKey<>(
        name, "flag", defaultText, "`true`, `false`", meaning, ConfigKeys::trueOrFalse);
  }

  private static ConfigKey<Optional<String>> text(String name, String defaultText, String meaning) {
    return new ConfigKey<>(name, "text", defaultText, "any", meaning, optional(text -> text));
  }

  private static ConfigKey<String> required(
      String name, String defaultText, String range, String meaning) {
    return new ConfigKey<>(name, "text", defaultText, range, meaning, ConfigKeys::notEmpty);
  }

  private static <T> Function<String, Optional<T>> optional(Function<String, T> parser) {
    return text -> text.isEmpty() ? Optional.empty() : Optional.of(parser.apply(text));
  }

  private static String notEmpty(String text) {
    if (text.isEmpty()) {
      throw new IllegalArgumentException("it is empty");
    }
    return text;
  }

  private static String gatewayId(String text) {
    if (!GATEWAY_ID.matcher(text).matches()) {
      throw new IllegalArgumentException("it holds other characters or is too long");
    }
    return text;
  }

  private static String redisUrl(String text) {
    if (!text.startsWith("redis://") && !text.startsWith("rediss://")) {
      throw new IllegalArgumentException("it starts with neither redis:// nor rediss://");
    }
    return text;
  }

  private static boolean trueOrFalse(String text) {
    return switch (text.toLowerCase(Locale.ROOT)) {
      case "true" -> true;
      case "false" -> false;
      default -> throw new IllegalArgumentException("it is neither true nor false");
    };
  }

  private static int within(long value, int min, int max) {
    if (value < min || value > max) {
      throw new IllegalArgumentException("it is out of range");
    }
    return (int) value;
  }

  private static long bytes(String text) {
    Matcher matcher = SIZE.matcher(text);
    if (!matcher.matches()) {
      throw new IllegalArgumentException("it is not a number with B, KiB or MiB");
    }
    long number = Long.parseLong(matcher.group(1));
    if ("KiB".equals(matcher.group(2))) {
      return Math.multiplyExact(number, 1024L);
    }
    return "MiB".equals(matcher.group(2)) ? Math.multiplyExact(number, 1024L * 1024L) : number;
  }

  private static Duration durationWithin(String text, Duration min, Duration max) {
    Matcher matcher = DURATION.matcher(text);
    if (!matcher.matches()) {
      throw new IllegalArgumentException("it is not a number with ms, s, m or h");
    }
    Duration value = durationOf(Long.parseLong(matcher.group(1)), matcher.group(2));
    if (value.compareTo(min) < 0 || value.compareTo(max) > 0) {
      throw new IllegalArgumentException("it is out of range");
    }
    return value;
  }

  private static Duration durationOf(long number, String unit) {
    return switch (unit) {
      case "ms" -> Duration.ofMillis(number);
      case "s" -> Duration.ofSeconds(number);
      case "m" -> Duration.ofMinutes(number);
      default -> Duration.ofHours(number);
    };
  }

  private static String show(Duration duration) {
    if (duration.toMillis() % 1000 != 0) {
      return duration.toMillis() + "ms";
    }
    if (duration.toSeconds() % 60 != 0) {
      return duration.toSeconds() + "s";
    }
    return duration.toMinutes() % 60 != 0 ? duration.toMinutes() + "m" : duration.toHours() + "h";
  }
}
