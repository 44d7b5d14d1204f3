package dev.holdfast.gateway.server;

import dev.holdfast.gateway.config.ConfigException;
import dev.holdfast.gateway.config.ConfigReader;
import dev.holdfast.gateway.connection.ConnectionRegistry;
import dev.holdfast.gateway.telemetry.MicroProfileMeters;
import jakarta.annotation.PostConstruct;
import jakarta.ejb.ConcurrencyManagement;
import jakarta.ejb.ConcurrencyManagementType;
import jakarta.ejb.Singleton;
import jakarta.ejb.Startup;
import jakarta.ejb.TransactionManagement;
import jakarta.ejb.TransactionManagementType;
import jakarta.inject.Inject;
import java.util.Optional;
import org.eclipse.microprofile.config.Config;
import org.eclipse.microprofile.metrics.MetricRegistry;

/** The one {@link ConnectionRegistry} of the application. */
@Singleton(name = "ConnectionRegistry")
@Startup
@ConcurrencyManagement(ConcurrencyManagementType.BEAN)
@TransactionManagement(TransactionManagementType.BEAN)
public class ConnectionRegistryBean {
  @Inject private Config config;
  @Inject private MetricRegistry metrics;

  private volatile Optional<ConnectionRegistry> registry = Optional.empty();

  @PostConstruct
  void create() {
    try {
      int max = ConfigReader.read(config).connection().max();
      registry = Optional.of(new ConnectionRegistry(max, new MicroProfileMeters(metrics)));
    } catch (ConfigException e) {
      // The gateway reads the same configuration next, and says what is wrong with it.
    }
  }

  /** Returns the registry; empty if the configuration is wrong. */
  public Optional<ConnectionRegistry> registry() {
    return registry;
  }
}
