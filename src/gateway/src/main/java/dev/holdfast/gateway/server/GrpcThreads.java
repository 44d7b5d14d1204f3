package dev.holdfast.gateway.server;

import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.netty.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * The event loops of the gRPC port. They also run the timers of its calls, so that these work until
 * the port is closed, whatever the container has already taken away.
 */
final class GrpcThreads implements AutoCloseable {
  private static final int CLOSE_SECONDS = 1;

  private final EventLoopGroup acceptor = eventLoops("holdfast-grpc-accept", 1);
  private final EventLoopGroup workers =
      eventLoops("holdfast-grpc", Math.max(2, Runtime.getRuntime().availableProcessors()));

  EventLoopGroup acceptor() {
    return acceptor;
  }

  EventLoopGroup workers() {
    return workers;
  }

  /** Returns an executor whose tasks must not block. */
  ScheduledExecutorService timers() {
    return workers;
  }

  @Override
  public void close() {
    Future<?> acceptorEnd = acceptor.shutdownGracefully(0, CLOSE_SECONDS, TimeUnit.SECONDS);
    Future<?> workersEnd = workers.shutdownGracefully(0, CLOSE_SECONDS, TimeUnit.SECONDS);
    acceptorEnd.awaitUninterruptibly(CLOSE_SECONDS, TimeUnit.SECONDS);
    workersEnd.awaitUninterruptibly(CLOSE_SECONDS, TimeUnit.SECONDS);
  }

  private static EventLoopGroup eventLoops(String name, int threads) {
    return new MultiThreadIoEventLoopGroup(
        threads, new DefaultThreadFactory(name, true), NioIoHandler.newFactory());
  }
}
