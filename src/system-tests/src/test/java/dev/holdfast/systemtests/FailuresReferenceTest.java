package dev.holdfast.systemtests;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.systemtests.suite.Repository;
import java.util.Arrays;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** {@code docs/failures.md} names tests that exist, and every failure that the tests name. */
final class FailuresReferenceTest {
  private static final Pattern TEST = Pattern.compile("`([A-Z]\\w+IT)\\.(\\w+)`");
  private static final Pattern ROW = Pattern.compile("^\\| (F\\d+) \\|");

  private final List<String> lines = Repository.lines("docs/failures.md");

  @Test
  void everyTestThatIsNamed_exists() {
    List<MatchResult> tests = lines.stream().flatMap(line -> TEST.matcher(line).results()).toList();

    assertThat(tests).isNotEmpty();
    for (MatchResult test : tests) {
      assertThat(methodsOf(test.group(1))).as(test.group()).contains(test.group(2));
    }
  }

  @Test
  void everyFailure_namesATest() {
    List<String> rows = lines.stream().filter(line -> ROW.matcher(line).find()).toList();

    assertThat(rows).hasSizeGreaterThan(10).allMatch(row -> TEST.matcher(row).find());
  }

  private static List<String> methodsOf(String testClass) {
    try {
      Class<?> type = Class.forName(FailuresReferenceTest.class.getPackageName() + "." + testClass);
      return Arrays.stream(type.getDeclaredMethods()).map(method -> method.getName()).toList();
    } catch (ClassNotFoundException e) {
      throw new AssertionError("docs/failures.md names " + testClass + ", which is no test", e);
    }
  }
}
