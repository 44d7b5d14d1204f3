package dev.holdfast.bench;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import java.util.zip.ZipOutputStream;

/**
 * An Open Liberty server whose only application is {@link ProbeService}, served by the {@code
 * grpc-1.0} feature.
 */
final class LibertyProbe {
  private static final String SERVER_XML =
      """
      <server>
        <featureManager>
          <feature>grpc-1.0</feature>
          <feature>servlet-6.0</feature>
        </featureManager>
        <httpEndpoint id="defaultHttpEndpoint" host="127.0.0.1" httpPort="%d" httpsPort="-1"/>
        <webApplication location="probe.war" contextRoot="/"/>
      </server>
      """;

  private LibertyProbe() {}

  /** Starts the server; it serves soon after. What it has to say is in its own log. */
  static ChildProcess start(Reports reports, int port) {
    try {
      Path target = Path.of(build().getProperty("target"));
      Path home = unpack(target);
      Path users = target.resolve("transport-probe");
      Path server = users.resolve("servers/probe");
      Files.createDirectories(server.resolve("apps"));
      Files.writeString(server.resolve("server.xml"), SERVER_XML.formatted(port));
      writeWar(server.resolve("apps/probe.war"));
      return ChildProcess.start(
          List.of(
              ChildProcess.javaCommand(),
              reports.jvmArgument(),
              "-javaagent:" + home.resolve("bin/tools/ws-javaagent.jar"),
              "-jar",
              home.resolve("bin/tools/ws-server.jar").toString(),
              "probe",
              "--clean"),
          Map.of("WLP_USER_DIR", users.toString()),
          ProcessBuilder.Redirect.DISCARD);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The version of Open Liberty that is started. */
  static String version() {
    return build().getProperty("liberty.version");
  }

  private static Properties build() {
    Properties properties = new Properties();
    try (InputStream in = LibertyProbe.class.getResourceAsStream("build.properties")) {
      properties.load(in);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return properties;
  }

  /** Unpacks the runtime once; a half unpacked one is never taken for a whole one. */
  private static Path unpack(Path target) throws IOException {
    Path done = target.resolve("liberty-" + version());
    if (Files.exists(done)) {
      return done.resolve("wlp");
    }
    Path partial = Files.createTempDirectory(target, "liberty-");
    try (ZipInputStream zip =
        new ZipInputStream(Files.newInputStream(Path.of(build().getProperty("liberty.zip"))))) {
      for (ZipEntry entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
        extract(zip, entry, partial);
      }
    }
    return Files.move(partial, done).resolve("wlp");
  }

  private static void extract(ZipInputStream zip, ZipEntry entry, Path into) throws IOException {
    Path file = into.resolve(entry.getName()).normalize();
    if (!file.startsWith(into)) {
      throw new BenchmarkException("'%s' would leave the folder".formatted(entry.getName()));
    }
    if (entry.isDirectory()) {
      Files.createDirectories(file);
    } else {
      Files.createDirectories(file.getParent());
      Files.copy(zip, file);
    }
  }

  /** The application: the probe's classes, and no {@code io.grpc}, which the feature provides. */
  private static void writeWar(Path war) throws IOException {
    try (ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(war))) {
      List<Class<?>> nested = List.of(ProbeService.class.getDeclaredClasses());
      List<Class<?>> classes =
          Stream.concat(Stream.of(ProbeService.class, Reporter.class), nested.stream()).toList();
      for (Class<?> type : classes) {
        String name = type.getName().replace('.', '/') + ".class";
        zip.putNextEntry(new ZipEntry("WEB-INF/classes/" + name));
        try (InputStream in = type.getClassLoader().getResourceAsStream(name)) {
          in.transferTo(zip);
        }
      }
    }
  }
}
