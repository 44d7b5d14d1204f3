package dev.holdfast.gateway.server;

import dev.holdfast.gateway.access.ApiKeys;
import dev.holdfast.gateway.access.AuthInterceptor;
import dev.holdfast.gateway.access.FailureThrottle;
import dev.holdfast.gateway.access.KeyFileWatch;
import dev.holdfast.gateway.config.GatewayConfig;
import dev.holdfast.gateway.connection.ConnectEndpoint;
import dev.holdfast.gateway.connection.ConnectionRegistry;
import dev.holdfast.gateway.connection.Connections;
import dev.holdfast.gateway.connection.Drain;
import dev.holdfast.gateway.connection.Environment;
import dev.holdfast.gateway.connection.TransportEnd;
import dev.holdfast.gateway.message.UndeliverableMessages;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** Everything that clients reach: the gRPC port and the connections on it. */
record GrpcSide(GrpcEndpoint endpoint, Optional<LibertyTls> tls, String address) {
  /** Opens the port; on return, clients can connect. */
  static GrpcSide open(Foundation foundation, ConnectionRegistry registry, RedisSide redis) {
    GatewayConfig config = foundation.config();
    GrpcThreads threads = new GrpcThreads();
    foundation.shutdown().first("gRPC threads", remaining -> threads.close());
    ApiKeys keys = keys(foundation, redis);
    Connections connections = connections(foundation, registry, redis, threads);
    Optional<LibertyTls> tls = LibertyTls.of(config.grpc());
    int maxFrameBytes = Connections.maxFrameBytes(config);
    GrpcEndpoint endpoint =
        new GrpcEndpoint(
            config.grpc(),
            threads,
            2 * maxFrameBytes, // Frames a little too large get an answer, larger ones are not read.
            tls.map(LibertyTls::context),
            new GrpcEndpoint.Services(
                new AuthInterceptor(
                    keys,
                    new FailureThrottle(System::nanoTime),
                    threads.timers(),
                    foundation.container().meters()),
                List.of(new ConnectEndpoint(connections, maxFrameBytes)),
                List.of(new TransportEnd.Factory(maxFrameBytes))));
    endpoint.start();
    foundation.shutdown().first("gRPC port", endpoint::stop);
    foundation.shutdown().first("connections", remaining -> drain(connections.drain(), remaining));
    return new GrpcSide(endpoint, tls, address(config, endpoint.port()));
  }

  private static Connections connections(
      Foundation foundation, ConnectionRegistry registry, RedisSide redis, GrpcThreads threads) {
    return new Connections(
        registry,
        foundation.self(),
        foundation.config(),
        new Connections.Ports(
            redis.lock(),
            (key, sentNanos, listener) -> redis.refresher().hold(key, sentNanos, listener)::end,
            redis.bus(),
            (identity, session) -> {},
            (identity, session, cause) -> {},
            UndeliverableMessages.refused()),
        new Environment(threads.timers(), System::nanoTime, Clock.systemUTC(), foundation.random()),
        foundation.container().meters());
  }

  private static ApiKeys keys(Foundation foundation, RedisSide redis) {
    GatewayConfig config = foundation.config();
    if (config.access().keyFile().isPresent()) {
      KeyFileWatch watch =
          KeyFileWatch.start(config.access().keyFile().get(), foundation.container().timers());
      foundation.shutdown().first("key file", remaining -> watch.close());
      return watch.keys();
    }
    Optional<String> embedded = redis.connection().embeddedUrl();
    if (embedded.isEmpty()) {
      ServerLog.nobodyGetsIn();
      return ApiKeys.none();
    }
    String key = ApiKeys.randomKey(foundation.random());
    ServerLog.trial(embedded.get(), key);
    return ApiKeys.trial(key);
  }

  /** Ends every connection; leaves a fifth of the time to what is stopped afterwards. */
  private static void drain(Drain drain, Duration remaining) throws Exception {
    Duration deadline = remaining.multipliedBy(4).dividedBy(5);
    drain.start(deadline).toCompletableFuture().get(remaining.toMillis(), TimeUnit.MILLISECONDS);
  }

  private static String address(GatewayConfig config, int port) {
    return config.gateway().advertisedAddress().orElse(config.grpc().host() + ":" + port);
  }
}
