package dev.holdfast.systemtests.tour;

import dev.holdfast.systemtests.harness.GatewayProcess;
import java.io.PrintStream;
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
      Trial trial = Trial.of(gateway);
      printAddresses(gateway, trial, out);
      int wrong = takeSteps(gateway, trial, out);
      if (!Boolean.getBoolean("demo.exit")) {
        out.println("The gateway stays up. Ctrl-C stops it.");
        printAddresses(gateway, trial, out);
        new CountDownLatch(1).await();
      }
      gateway.stop();
      return (wrong == 0) ? 0 : 1;
    }
  }

  private static int takeSteps(GatewayProcess gateway, Trial trial, PrintStream out) {
    try (MainJob job = new MainJob(gateway, trial)) {
      return new Guide(out).run(job.steps());
    }
  }

  private static void printAddresses(GatewayProcess gateway, Trial trial, PrintStream out) {
    out.println("  gRPC       " + gateway.grpcTarget());
    out.println("  health     " + gateway.http().resolve("/health"));
    out.println("  metrics    " + gateway.http().resolve("/metrics"));
    out.println("  admin API  " + gateway.http().resolve("/api"));
    out.println("For the command line:");
    out.printf(
        "  export HOLDFAST_TARGET=%s HOLDFAST_API_KEY=%s%n", gateway.grpcTarget(), trial.apiKey());
    out.printf(
        "  export HOLDFAST_ADMIN_URL=%s HOLDFAST_ADMIN_USER=%s HOLDFAST_ADMIN_PASSWORD=%s%n",
        gateway.http(), gateway.adminUser(), gateway.adminPassword());
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
