package dev.holdfast.gateway.connection;

import dev.holdfast.gateway.access.ApiKey;
import dev.holdfast.gateway.access.Caller;
import dev.holdfast.gateway.access.CallerContext;
import dev.holdfast.gateway.access.IdentityPattern;
import dev.holdfast.gateway.testing.FakeClock;
import dev.holdfast.gateway.testing.MemoryIdentityLock;
import io.grpc.Context;
import io.grpc.Contexts;
import io.grpc.Metadata;
import io.grpc.Server;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.ServerStreamTracer;
import io.grpc.Status;
import io.grpc.netty.NettyServerBuilder;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** A gateway's core behind the real gRPC transport, on a free loopback port. */
final class NettyGateway implements AutoCloseable {
  final Gateway core;
  final MemoryIdentityLock locks;

  /** How the streams of this server ended, as the transport saw it, in order. */
  final BlockingQueue<Status> streamsClosed = new LinkedBlockingQueue<>();

  private final ScheduledExecutorService timers = Executors.newSingleThreadScheduledExecutor();
  private final Server server;

  NettyGateway(Map<String, String> settings) throws IOException {
    FakeClock wall = new FakeClock();
    locks = new MemoryIdentityLock(wall.wallClock());
    core = new Gateway(wall, timers, System::nanoTime, locks, settings);
    int maxFrameBytes = Connections.maxFrameBytes(core.config);
    server =
        NettyServerBuilder.forAddress(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
            .directExecutor()
            .maxInboundMessageSize(Integer.MAX_VALUE)
            .keepAliveTime(200, TimeUnit.MILLISECONDS)
            .keepAliveTimeout(200, TimeUnit.MILLISECONDS)
            .addStreamTracerFactory(new TransportEnd.Factory(maxFrameBytes))
            .addStreamTracerFactory(new EndRecorder())
            .intercept(new AdmitEverybody())
            .addService(new ConnectEndpoint(core.connections, maxFrameBytes))
            .build()
            .start();
  }

  int port() {
    return server.getPort();
  }

  @Override
  public void close() {
    server.shutdownNow();
    timers.shutdownNow();
  }

  private final class EndRecorder extends ServerStreamTracer.Factory {
    @Override
    public ServerStreamTracer newServerStreamTracer(String fullMethodName, Metadata headers) {
      return new ServerStreamTracer() {
        @Override
        public void streamClosed(Status status) {
          streamsClosed.add(status);
        }
      };
    }
  }

  /** Stands for authentication. */
  private static final class AdmitEverybody implements ServerInterceptor {
    private static final Caller CALLER =
        new Caller(new ApiKey("key-1", List.of(IdentityPattern.parse("**"))), "127.0.0.1:5555");

    @Override
    public <Q, R> ServerCall.Listener<Q> interceptCall(
        ServerCall<Q, R> call, Metadata headers, ServerCallHandler<Q, R> next) {
      Context context = Context.current().withValue(CallerContext.CALLER, CALLER);
      return Contexts.interceptCall(context, call, headers, next);
    }
  }
}
