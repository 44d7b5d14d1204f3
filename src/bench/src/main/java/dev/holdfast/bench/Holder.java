package dev.holdfast.bench;

import dev.holdfast.protocol.gateway.v1.ConnectResponse;
import io.grpc.stub.StreamObserver;
import java.util.List;
import java.util.Map;

/**
 * A process that holds one identity until it is killed, and reports {@code held SPECIFIER}.
 * Arguments: {@code ADDRESS SPECIFIER}; the API key comes in the environment.
 */
final class Holder {
  private static final String API_KEY = "HOLDFAST_BENCH_API_KEY";

  private Holder() {}

  /** Connects and waits for the end of the measuring process. */
  public static void main(String[] args) throws InterruptedException {
    Reporter reporter = Reporter.connect();
    Target target = new Target(args[0], System.getenv(API_KEY));
    target
        .stub(target.channel())
        .connect(new Acknowledged(() -> reporter.report("held", args[1])))
        .onNext(Target.init(args[1]));
    Thread.currentThread().join();
  }

  /** Starts a holder of {@code specifier}. */
  static ChildProcess start(Reports reports, Target target, String specifier) {
    return ChildProcess.java(
        Holder.class,
        List.of(reports.jvmArgument(), "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"),
        Map.of(API_KEY, target.apiKey()),
        target.address(),
        specifier);
  }

  /** Runs an action at the ack. */
  private record Acknowledged(Runnable action) implements StreamObserver<ConnectResponse> {
    @Override
    public void onNext(ConnectResponse response) {
      if (response.hasAck()) {
        action.run();
      }
    }

    @Override
    public void onError(Throwable failure) {
      System.err.println("the holder's stream failed: " + failure.getMessage());
      Runtime.getRuntime().halt(1);
    }

    @Override
    public void onCompleted() {
      Runtime.getRuntime().halt(1);
    }
  }
}
