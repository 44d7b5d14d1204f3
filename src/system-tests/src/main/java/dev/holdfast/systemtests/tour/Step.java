package dev.holdfast.systemtests.tour;

/**
 * One promise of the gateway, and how to see it kept.
 *
 * @param title what is tried, a few words
 * @param expectation what should happen, one sentence
 * @param action tries it
 */
record Step(String title, String expectation, Action action) {

  /** Tries something. */
  @FunctionalInterface
  interface Action {
    /**
     * Returns what happened, one sentence.
     *
     * @throws Exception if it was not what the step expects; the message says what it was
     */
    String run() throws Exception;
  }
}
