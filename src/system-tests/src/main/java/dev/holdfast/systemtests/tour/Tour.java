package dev.holdfast.systemtests.tour;

import dev.holdfast.systemtests.harness.GatewayProcess;
import java.io.PrintStream;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;

/**
 * Starts one gateway on an embedded Redis, shows it, and leaves it running until Ctrl-C.
 *
 * <p>With {@code -Ddemo.exit} it stops everything after the last step; the exit status is then 1 if
 * a step went wrong.
 */
public final class Tour {
  private Tour() {}

  public static void main(String[] args) throws InterruptedException {
    System.exit(run(System.out));
  }

  private static int run(PrintStream out) throws InterruptedException {
    stopWithParent();
    out.println("Starting a gateway on an embedded Redis ...");
    try (GatewayProcess gateway = GatewayProcess.builder().start()) {
      printAddresses(gateway, out);
      int wrong = new Guide(out).run(steps(gateway));
      if (!Boolean.getBoolean("demo.exit")) {
        out.println("The gateway stays up. Ctrl-C stops it.");
        printAddresses(gateway, out);
        new CountDownLatch(1).await();
      }
      gateway.stop();
      return (wrong == 0) ? 0 : 1;
    }
  }

  private static List<Step> steps(GatewayProcess gateway) {
    return List.of(
        new Step(
            "The gateway is healthy",
            "GET /health/ready answers 200.",
            () -> {
              int status = gateway.status("/health/ready");
              if (status != 200) {
                throw new IllegalStateException("it answered " + status);
              }
              return "It answered 200.";
            }));
  }

  private static void printAddresses(GatewayProcess gateway, PrintStream out) {
    out.println("  gRPC       " + gateway.grpcTarget());
    out.println("  health     " + gateway.http().resolve("/health"));
    out.println("  metrics    " + gateway.http().resolve("/metrics"));
    out.println("  admin API  " + gateway.http().resolve("/api"));
    out.println("  log in as  " + gateway.adminUser() + " with " + gateway.adminPassword());
  }

  /** Whoever started the tour and died left nobody to stop it. */
  private static void stopWithParent() {
    Optional<ProcessHandle> parent = ProcessHandle.current().parent();
    Thread watch = new Thread(() -> parent.ifPresent(Tour::exitAfter), "parent-watch");
    watch.setDaemon(true);
    watch.start();
  }

  private static void exitAfter(ProcessHandle parent) {
    parent.onExit().join();
    System.exit(1);
  }
}
