package dev.holdfast.gateway.server;

import dev.holdfast.gateway.telemetry.MicroProfileMeters;
import jakarta.annotation.PostConstruct;
import jakarta.annotation.PreDestroy;
import jakarta.annotation.Resource;
import jakarta.ejb.ConcurrencyManagement;
import jakarta.ejb.ConcurrencyManagementType;
import jakarta.ejb.DependsOn;
import jakarta.ejb.Singleton;
import jakarta.ejb.Startup;
import jakarta.ejb.TransactionManagement;
import jakarta.ejb.TransactionManagementType;
import jakarta.enterprise.concurrent.ManagedScheduledExecutorService;
import jakarta.inject.Inject;
import java.util.Optional;
import org.eclipse.microprofile.config.Config;
import org.eclipse.microprofile.metrics.MetricRegistry;

/** The gateway's life in the container: starts it with the application and stops it before. */
@Singleton
@Startup
@DependsOn("ConnectionRegistry")
@ConcurrencyManagement(ConcurrencyManagementType.BEAN)
@TransactionManagement(TransactionManagementType.BEAN)
public class Gateway {
  @Resource private ManagedScheduledExecutorService timers;
  @Inject private Config config;
  @Inject private MetricRegistry metrics;
  @Inject private GatewayHealth health;
  @Inject private ConnectionRegistryBean registry;

  private volatile Optional<GatewayBoot> boot = Optional.empty();

  @PostConstruct
  void start() {
    boot = GatewayBoot.tryStart(container(), health);
  }

  private Container container() {
    return new Container(timers, config, new MicroProfileMeters(metrics), registry.registry());
  }

  /** Returns what administration needs; empty if the gateway did not start or has stopped. */
  public Optional<Parts> parts() {
    return boot.map(GatewayBoot::parts);
  }

  @PreDestroy
  void stop() {
    boot.ifPresent(GatewayBoot::stop);
    boot = Optional.empty();
  }
}
