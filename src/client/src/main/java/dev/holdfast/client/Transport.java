package dev.holdfast.client;

import io.grpc.ChannelCredentials;
import io.grpc.Grpc;
import io.grpc.ManagedChannel;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.random.RandomGenerator;

/** Opens the channel and the threads of a client. */
final class Transport {
  /** What isn't about where and who. */
  record Settings(
      Optional<Executor> executor,
      Backoff backoff,
      Duration keepAliveTime,
      Duration keepAliveTimeout,
      int maxInboundMessageBytes) {
    Duration silenceLimit() {
      return keepAliveTime.plus(keepAliveTimeout);
    }
  }

  private Transport() {}

  static HoldfastClient open(
      String target, String apiKey, ChannelCredentials credentials, Settings settings) {
    // Its idle threads end by themselves, so that completions still run while the client closes.
    Executor executor =
        settings
            .executor()
            .orElseGet(() -> Executors.newCachedThreadPool(daemons("holdfast-client")));
    ScheduledThreadPoolExecutor timers =
        new ScheduledThreadPoolExecutor(1, daemons("holdfast-timer"));
    timers.setRemoveOnCancelPolicy(true);
    return new HoldfastClient(
        channel(target, credentials, executor, settings),
        apiKey,
        new ClientRuntime(
            executor,
            timers,
            System::nanoTime,
            RandomGenerator.getDefault(),
            settings.backoff(),
            settings.silenceLimit()),
        timers::shutdownNow);
  }

  private static ManagedChannel channel(
      String target, ChannelCredentials credentials, Executor executor, Settings settings) {
    return Grpc.newChannelBuilder(target, credentials)
        .executor(executor)
        .keepAliveTime(settings.keepAliveTime().toNanos(), TimeUnit.NANOSECONDS)
        .keepAliveTimeout(settings.keepAliveTimeout().toNanos(), TimeUnit.NANOSECONDS)
        .maxInboundMessageSize(settings.maxInboundMessageBytes())
        .disableRetry()
        .build();
  }

  private static ThreadFactory daemons(String prefix) {
    AtomicInteger count = new AtomicInteger();
    return task -> {
      Thread thread = new Thread(task, prefix + "-" + count.getAndIncrement());
      thread.setDaemon(true);
      return thread;
    };
  }
}
