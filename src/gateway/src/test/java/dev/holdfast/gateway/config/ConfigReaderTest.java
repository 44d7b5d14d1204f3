package dev.holdfast.gateway.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.eclipse.microprofile.config.Config;
import org.eclipse.microprofile.config.ConfigValue;
import org.eclipse.microprofile.config.spi.ConfigSource;
import org.eclipse.microprofile.config.spi.Converter;
import org.junit.jupiter.api.Test;

final class ConfigReaderTest {
  @Test
  void read_takesValuesByName() {
    Config config = new MapConfig(Map.of("holdfast.grpc.port", "7500"));

    assertThat(ConfigReader.read(config).grpc().port()).isEqualTo(7500);
  }

  @Test
  void unknownKeys_areThoseUnderThePrefixThatNobodyReads() {
    Config config =
        new MapConfig(
            Map.of(
                "holdfast.grpc.prot", "1",
                "holdfast.grpc.port", "1",
                "holdfast.http.port", "1",
                "holdfast.grpc.allow.plaintext", "1",
                "holdfast.a", "1",
                "java.home", "1"));

    assertThat(ConfigReader.unknownKeys(config))
        .containsExactly("holdfast.a", "holdfast.grpc.prot");
  }

  private record MapConfig(Map<String, String> values) implements Config {
    @Override
    public <T> T getValue(String name, Class<T> type) {
      return getOptionalValue(name, type).orElseThrow();
    }

    @Override
    public ConfigValue getConfigValue(String name) {
      throw new UnsupportedOperationException(name);
    }

    @Override
    public <T> Optional<T> getOptionalValue(String name, Class<T> type) {
      return Optional.ofNullable(values.get(name)).map(type::cast);
    }

    @Override
    public Iterable<String> getPropertyNames() {
      return values.keySet();
    }

    @Override
    public Iterable<ConfigSource> getConfigSources() {
      return List.of();
    }

    @Override
    public <T> Optional<Converter<T>> getConverter(Class<T> type) {
      return Optional.empty();
    }

    @Override
    public <T> T unwrap(Class<T> type) {
      throw new IllegalArgumentException(type.getName());
    }
  }
}
