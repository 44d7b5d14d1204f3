package dev.holdfast.systemtests.driver;

import java.util.List;

/**
 * One answer of a gateway's {@code /metrics}.
 *
 * @param lines the samples, without comments
 */
public record Scrape(List<String> lines) {
  /** Scrapes a gateway. */
  public static Scrape of(Admin gateway) {
    Admin.Answer answer = gateway.anonymous("GET", "/metrics");
    if (answer.status() != 200) {
      throw new AssertionError("GET /metrics answered " + answer.status());
    }
    return new Scrape(answer.body().lines().filter(line -> !line.startsWith("#")).toList());
  }

  /** Says whether there is a sample whose name is {@code name} or begins with it. */
  public boolean has(String name) {
    return lines.stream().anyMatch(line -> line.startsWith(name));
  }

  /** Adds up all samples of {@code name}, over every value of every tag. */
  public double sum(String name) {
    return sum(name, "");
  }

  /**
   * Adds up the samples of {@code name} with a tag.
   *
   * @param tag such as {@code outcome="held"}; empty for all
   */
  public double sum(String name, String tag) {
    return lines.stream()
        .filter(line -> line.startsWith(name + "{") || line.startsWith(name + " "))
        .filter(line -> line.contains(tag))
        .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
        .sum();
  }
}
