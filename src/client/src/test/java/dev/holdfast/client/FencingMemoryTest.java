package dev.holdfast.client;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class FencingMemoryTest {
  private final FencingMemory memory = new FencingMemory(2);

  @Test
  void learn_keepsTheHighest() {
    assertThat(memory.learn("a", 5)).isEqualTo(5);
    assertThat(memory.learn("a", 4)).isEqualTo(5);
    assertThat(memory.learn("a", 5)).isEqualTo(5);
    assertThat(memory.learn("a", 6)).isEqualTo(6);
    assertThat(memory.learn("a", 5)).isEqualTo(6);
    assertThat(memory.learn("b", 1)).isEqualTo(1);
  }

  @Test
  void learn_tokensAreUnsigned() {
    assertThat(memory.learn("a", Long.MAX_VALUE)).isEqualTo(Long.MAX_VALUE);
    assertThat(memory.learn("a", Long.MIN_VALUE)).isEqualTo(Long.MIN_VALUE);
    assertThat(memory.learn("a", 1)).isEqualTo(Long.MIN_VALUE);
  }

  @Test
  void learn_forgetsWhoWasNotHeardForLongest() {
    memory.learn("a", 5);
    memory.learn("b", 5);
    memory.learn("a", 5);
    memory.learn("c", 5);

    assertThat(memory.learn("a", 1)).isEqualTo(5);
    assertThat(memory.learn("b", 1)).isEqualTo(1);
  }
}
