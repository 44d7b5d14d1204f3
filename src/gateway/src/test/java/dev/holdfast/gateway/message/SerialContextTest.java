package dev.holdfast.gateway.message;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;

final class SerialContextTest {
  private final List<RuntimeException> defects = new ArrayList<>();
  private final SerialContext serial = new SerialContext(defects::add);

  @Test
  void execute_insideATask_runsAfterIt() {
    List<String> order = new ArrayList<>();

    serial.execute(
        () -> {
          serial.execute(() -> order.add("second"));
          order.add("first");
        });

    assertThat(order).containsExactly("first", "second");
  }

  @Test
  void execute_taskThrows_laterTasksRun() {
    List<String> order = new ArrayList<>();

    serial.execute(
        () -> {
          throw new IllegalStateException("defect");
        });
    serial.execute(() -> order.add("later"));

    assertThat(defects).hasSize(1);
    assertThat(order).containsExactly("later");
  }

  @Test
  void execute_manyThreads_runsOneAtATimeAndSeesEverything() throws Exception {
    int[] count = {0}; // Not volatile on purpose: the context must publish it.
    CountDownLatch done = new CountDownLatch(4);
    ExecutorService threads = Executors.newFixedThreadPool(4);
    for (int t = 0; t < 4; t++) {
      threads.execute(
          () -> {
            for (int i = 0; i < 10_000; i++) {
              serial.execute(() -> count[0]++);
            }
            done.countDown();
          });
    }
    done.await();
    threads.shutdown();
    int[] total = {0};

    serial.execute(() -> total[0] = count[0]);

    assertThat(total[0]).isEqualTo(40_000);
  }
}
