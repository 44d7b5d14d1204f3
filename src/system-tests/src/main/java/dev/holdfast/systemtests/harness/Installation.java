package dev.holdfast.systemtests.harness;

import java.nio.file.Files;
import java.nio.file.Path;

/** Where the build has put the assembled server. */
final class Installation {
  private static final String PLACE = "liberty/target/server";

  private Installation() {}

  /**
   * Returns the installation of the checkout that holds the working directory.
   *
   * @throws IllegalStateException if it has not been built
   */
  static Path directory() {
    Path start = Path.of("").toAbsolutePath();
    for (Path parent = start; parent != null; parent = parent.getParent()) {
      Path candidate = parent.resolve(PLACE);
      if (Files.isExecutable(candidate.resolve("bin/server"))) {
        return candidate;
      }
    }
    throw new IllegalStateException(
        "no %s above %s; build it with ./mvnw package -pl liberty -am".formatted(PLACE, start));
  }
}
