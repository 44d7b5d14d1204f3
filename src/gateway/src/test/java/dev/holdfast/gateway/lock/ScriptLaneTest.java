package dev.holdfast.gateway.lock;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.gateway.testing.FakeClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

/** A lane of batches of at most 3, 1 in flight, whose items have 2 s each. */
class ScriptLaneTest {
  private final FakeClock clock = new FakeClock();
  private final List<Sent> sent = new ArrayList<>();
  private final ScriptLane<String, String> lane =
      new ScriptLane<>(
          this::send, new ScriptLane.Limits(3, 1, Duration.ofSeconds(2)), clock.ticker());

  private record Sent(
      List<Pending<String, String>> batch, long deadlineNanos, CompletableFuture<String> done) {
    List<String> items() {
      return batch.stream().map(Pending::item).toList();
    }

    void answer() {
      batch.forEach(pending -> pending.promise().complete(pending.item() + "!"));
      done.complete("");
    }
  }

  @Test
  void submit_toAnIdleLane_isSentAtOnce() {
    CompletionStage<String> answer = lane.submit("a");
    assertThat(sent).hasSize(1);
    sent.get(0).answer();

    assertThat(answer.toCompletableFuture()).isCompletedWithValue("a!");
  }

  @Test
  void submit_whileABatchIsUnderWay_goesIntoTheNextInOrder() {
    for (String item : List.of("a", "b", "c", "d", "e")) {
      submit(item);
    }
    assertThat(sent).hasSize(1);
    sent.get(0).answer();
    sent.get(1).answer();

    assertThat(sent)
        .map(Sent::items)
        .containsExactly(List.of("a"), List.of("b", "c", "d"), List.of("e"));
  }

  @Test
  void submit_whileTwoBatchesMayBeUnderWay_sendsTwo() {
    ScriptLane<String, String> wide =
        new ScriptLane<>(
            this::send, new ScriptLane.Limits(3, 2, Duration.ofSeconds(2)), clock.ticker());
    for (String item : List.of("a", "b", "c")) {
      var unused = wide.submit(item);
    }

    assertThat(sent).map(Sent::items).containsExactly(List.of("a"), List.of("b"));
  }

  @Test
  void batch_hasTheDeadlineOfItsFirstItem_whichIsNeverBeforeThatOfOneUnderWay() {
    submit("a");
    clock.advance(Duration.ofMillis(500));
    submit("b");
    clock.advance(Duration.ofMillis(500));
    submit("c");
    clock.advance(Duration.ofSeconds(1)); // The deadline of the first: its sender gives up.
    sent.get(0).done().completeExceptionally(new IllegalStateException("thrown by the test"));

    assertThat(sent).map(Sent::items).containsExactly(List.of("a"), List.of("b", "c"));
    assertThat(sent).map(Sent::deadlineNanos).containsExactly(2_000_000_000L, 2_500_000_000L);
  }

  private void submit(String item) {
    var unused = lane.submit(item);
  }

  private CompletionStage<?> send(List<Pending<String, String>> batch, long deadlineNanos) {
    Sent made = new Sent(batch, deadlineNanos, new CompletableFuture<>());
    sent.add(made);
    return made.done();
  }
}
