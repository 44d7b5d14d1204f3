package dev.holdfast.systemtests.harness;

/**
 * The Redis of tests that neither stop nor empty it: the one that the environment variable {@value
 * #VARIABLE} names, or else one of our own.
 */
public final class SharedRedis implements AutoCloseable {
  private static final String VARIABLE = "HOLDFAST_TEST_REDIS";

  private final String url;
  private final Runnable stop;

  private SharedRedis(String url, Runnable stop) {
    this.url = url;
    this.stop = stop;
  }

  /** Returns the server of the environment, or starts one. */
  public static SharedRedis open() {
    String given = System.getenv(VARIABLE);
    if (given != null) {
      return new SharedRedis(given, () -> {});
    }
    RedisProcess own = RedisProcess.start();
    return new SharedRedis(own.url(), own::close);
  }

  public String url() {
    return url;
  }

  @Override
  public void close() {
    stop.run();
  }
}
