package dev.holdfast.gateway.telemetry;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.gateway.testing.ReferenceTable;
import java.util.HashSet;
import java.util.Locale;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

final class MeterCatalogTest {
  @ParameterizedTest
  @EnumSource
  void everyMeter_hasOnePrefixAndNoSuffixOfTheFormat(Meter meter) {
    assertThat(meter.id()).matches("holdfast(_[a-z]+)+").doesNotMatch(".*_(total|seconds|max)");
    assertThat(meter.help()).matches("[A-Z].*\\.");
  }

  @Test
  void names_areUnique() {
    Set<String> names = new HashSet<>();
    for (Meter meter : Meter.values()) {
      assertThat(names.add(meter.id())).as(meter.name()).isTrue();
    }
  }

  @Test
  void reference_listsEveryMeterAsItIs() {
    ReferenceTable table = new ReferenceTable("name", "scraped as", "kind", "tag", "meaning");
    for (Meter meter : Meter.values()) {
      table.row(
          "`" + meter.id() + "`",
          scrapedAs(meter),
          meter.kind().name().toLowerCase(Locale.ROOT),
          meter.tag().isEmpty() ? "none" : "`" + meter.tag() + "`",
          meter.help());
    }

    assertThat(ReferenceTable.firstIn("metrics.md")).isEqualTo(table.lines());
  }

  private static String scrapedAs(Meter meter) {
    String id = meter.id();
    return switch (meter.kind()) {
      case COUNTER -> "`%s_total`".formatted(id);
      case GAUGE -> "`%s`".formatted(id);
      case TIMER -> "`%s_seconds_count`, `_sum`, `_max`".formatted(id);
      case DISTRIBUTION -> "`%s_count`, `_sum`, `_max`".formatted(id);
    };
  }
}
