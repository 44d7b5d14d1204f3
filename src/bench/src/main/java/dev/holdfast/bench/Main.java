package dev.holdfast.bench;

import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Runs one benchmark by name; the last line printed is {@code NAME ratio=RATIO}. */
@Command(name = "run", mixinStandardHelpOptions = true, sortOptions = false)
final class Main implements Callable<Integer> {
  private static final Map<String, Benchmark> BENCHMARKS =
      Map.of(
          "connect", Comparisons::connect,
          "message", Comparisons::message,
          "release", Comparisons::release,
          "start", new StartBenchmark(),
          "transport", new TransportBenchmark());

  @Parameters(paramLabel = "NAME", description = "connect, message, release, start or transport")
  private String name = "";

  @Option(names = "--runs", description = "measured runs of each side (${DEFAULT-VALUE})")
  private int runs = 5;

  @Option(names = "--warmups", description = "runs before the measured ones (${DEFAULT-VALUE})")
  private int warmups = 2;

  @Option(names = "--count", description = "repetitions in one run (0: the benchmark's default)")
  private int count;

  @Option(names = "--limit", description = "longest wait, in seconds (${DEFAULT-VALUE})")
  private int limitSeconds = 30;

  @Option(
      names = "--gateway",
      paramLabel = "HOST:PORT",
      description = "a running gateway to measure; twice for release")
  private List<String> gateways = List.of();

  @Option(
      names = "--api-key-env",
      paramLabel = "VARIABLE",
      description = "the environment variable with the API key (${DEFAULT-VALUE})")
  private String apiKeyVariable = "HOLDFAST_API_KEY";

  private Main() {}

  /** Exits with 0, or with 1 if the benchmark could not be carried out, 2 if misused. */
  public static void main(String[] args) {
    Locale.setDefault(Locale.ROOT);
    System.exit(new CommandLine(new Main()).execute(args));
  }

  @Override
  public Integer call() {
    Benchmark benchmark = BENCHMARKS.get(name);
    if (benchmark == null) {
      System.err.printf("no benchmark '%s'; there are %s%n", name, BENCHMARKS.keySet());
      return 2;
    }
    try {
      double ratio = benchmark.run(settings(), System.out);
      System.out.printf("%s ratio=%.4f%n", name, ratio);
      return 0;
    } catch (BenchmarkException e) {
      System.err.printf("%s: %s%n", name, e.getMessage());
      return 1;
    }
  }

  private Settings settings() {
    String apiKey = System.getenv().getOrDefault(apiKeyVariable, "");
    return new Settings(runs, warmups, count, Duration.ofSeconds(limitSeconds), gateways, apiKey);
  }
}
