package dev.holdfast.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FileSessionStoreTest {
  private static final SavedSession SESSION = new SavedSession("conn-1", "");

  private final Path folder;
  private final Path file;
  private final FileSessionStore store;

  FileSessionStoreTest(@TempDir Path folder) {
    this.folder = folder;
    this.file = folder.resolve("agent.session");
    this.store = new FileSessionStore(file);
  }

  @Test
  void load_noFile_isEmpty() throws IOException {
    assertThat(store.load(Rig.AGENT)).isEmpty();
  }

  @Test
  void save_isLoadedAgain_andReplaced() throws IOException {
    store.save(Rig.AGENT, new SavedSession("conn-0", "t-1"));
    assertThat(store.load(Rig.AGENT)).contains(new SavedSession("conn-0", "t-1"));

    store.save(Rig.AGENT, SESSION);

    assertThat(new FileSessionStore(file).load(Rig.AGENT)).contains(SESSION);
  }

  @Test
  void save_onlyTheOwnerMayRead_andNothingElseIsLeft() throws IOException {
    store.save(Rig.AGENT, SESSION);

    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
        .isEqualTo("rw-------");
    try (Stream<Path> files = Files.list(folder)) {
      assertThat(files).containsExactly(file);
    }
  }

  @Test
  void load_ofAnotherPrincipal_isEmpty() throws IOException {
    store.save(Rig.AGENT, SESSION);

    assertThat(store.load(new Principal.Agent("acme", "builder", "8"))).isEmpty();
    assertThat(store.load(new Principal.UniqueTask("acme", "builder", "7"))).isEmpty();
  }

  @Test
  void load_notASessionFile_saysSo() throws IOException {
    Files.writeString(file, "session-id=\\u12");

    assertThatThrownBy(() -> store.load(Rig.AGENT))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("agent.session is not a session file");
  }

  @Test
  void connection_savesItsSession_andAnotherProcessResumesIt() throws IOException {
    try (Rig rig = new Rig()) {
      rig.held(rig.options().sessionStore(store).build());
      assertThat(store.load(Rig.AGENT)).contains(new SavedSession("s1", ""));
      rig.gateway.newest().breakDown();
      rig.advance(Duration.ofMillis(500));
      rig.gateway.newest().ack("s2", 11, true);
      rig.clock.settle();
    }
    try (Rig rig = new Rig()) {
      assertThat(rig.connect(rig.options().sessionStore(store).build())).isNotDone();

      assertThat(rig.gateway.newest().init().getResumeSessionId()).isEqualTo("s2");
    }
  }

  @Test
  void store_cannotBeUsed_connectsWithoutIt() {
    Logger log = Logger.getLogger("dev.holdfast.client");
    log.setLevel(Level.OFF); // the warnings are expected
    try (Rig rig = new Rig()) {
      FileSessionStore nowhere = new FileSessionStore(folder.resolve("missing/agent.session"));

      Connection connection = rig.held(rig.options().sessionStore(nowhere).build());

      assertThat(connection.state()).isEqualTo(ConnectionState.HELD);
    } finally {
      log.setLevel(null);
    }
  }
}
