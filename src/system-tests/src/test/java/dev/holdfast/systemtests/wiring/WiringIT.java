package dev.holdfast.systemtests.wiring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.holdfast.gateway.cluster.GatewayRecord;
import dev.holdfast.gateway.server.ConnectionRegistryBean;
import dev.holdfast.gateway.server.Gateway;
import dev.holdfast.gateway.server.GatewayHealth;
import jakarta.ejb.EJB;
import jakarta.inject.Inject;
import java.io.File;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jboss.arquillian.container.test.api.Deployment;
import org.jboss.arquillian.junit5.ArquillianExtension;
import org.jboss.shrinkwrap.api.ShrinkWrap;
import org.jboss.shrinkwrap.api.asset.StringAsset;
import org.jboss.shrinkwrap.api.spec.WebArchive;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The singletons, health checks and meters of the real WAR, seen from inside its container. */
@ExtendWith(ArquillianExtension.class)
class WiringIT {
  private static final String OPEN_WEB_XML =
      "<web-app xmlns=\"https://jakarta.ee/xml/ns/jakartaee\" version=\"6.0\"/>";

  private static final Duration LIMIT = Duration.ofSeconds(30);

  @EJB private Gateway gateway;
  @EJB private ConnectionRegistryBean registry;
  @EJB private ConnectionRegistryBean sameRegistry;
  @Inject private GatewayHealth health;

  /** The WAR that operators deploy, with the embedded Redis that they do not. */
  @Deployment
  static WebArchive war() {
    WebArchive war =
        ShrinkWrap.createFromZipFile(
            WebArchive.class, new File(System.getProperty("wiring.war", "holdfast.war")));
    war.addAsLibraries(embeddedRedis());
    war.setWebXML(new StringAsset(OPEN_WEB_XML)); // Arquillian's servlet needs a way in.
    return war;
  }

  @Test
  void gateway_startsWithTheApplication() {
    assertTrue(gateway.parts().isPresent());
    assertTrue(health.started());
  }

  @Test
  void health_isTheGatewaysOwn() {
    assertEquals(GatewayHealth.Phase.SERVING, health.phase());
    assertTrue(health.live());
  }

  @Test
  void registry_isOneForTheApplication() {
    assertSame(registry.registry().orElseThrow(), sameRegistry.registry().orElseThrow());
    assertEquals(0, registry.registry().orElseThrow().active());
  }

  @Test
  void directory_listsThisGatewayOnceItHasJoined() throws Exception {
    String epoch = gateway.parts().orElseThrow().self().epoch();
    long limit = System.nanoTime() + LIMIT.toNanos();
    boolean listed = false;
    while (!listed && System.nanoTime() - limit < 0) {
      listed = liveEpochs().contains(epoch);
    }

    assertTrue(listed, "epoch " + epoch + " is not among " + liveEpochs());
  }

  private List<String> liveEpochs() throws Exception {
    return gateway
        .parts()
        .orElseThrow()
        .liveGateways()
        .get()
        .toCompletableFuture()
        .get(LIMIT.toSeconds(), TimeUnit.SECONDS)
        .stream()
        .map(GatewayRecord::epoch)
        .toList();
  }

  private static File[] embeddedRedis() {
    List<String> entries =
        List.of(System.getProperty("java.class.path", "").split(File.pathSeparator));
    return Stream.of("embedded-redis-", "jedis-", "commons-pool2-")
        .flatMap(
            name -> entries.stream().filter(entry -> new File(entry).getName().startsWith(name)))
        .map(File::new)
        .toArray(File[]::new);
  }
}
