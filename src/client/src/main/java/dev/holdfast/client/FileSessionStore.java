package dev.holdfast.client;

import java.io.IOException;
import java.io.Reader;
import java.io.StringWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;
import java.util.Properties;

/**
 * Keeps the session of one principal in a file that only its owner may read or write.
 *
 * <p>The file is replaced in one step, so that a reader finds the old session or the new one, never
 * half of one. A file that holds another principal's session counts as empty. Thread-safe.
 */
public final class FileSessionStore implements SessionStore {
  private static final String PRINCIPAL = "principal";
  private static final String SESSION_ID = "session-id";
  private static final String ASSIGNED_ID = "assigned-id";

  private final Path file;

  /** A store in {@code file}, whose folder must exist; the file need not. */
  public FileSessionStore(Path file) {
    this.file = file.toAbsolutePath();
  }

  @Override
  public Optional<SavedSession> load(Principal principal) throws IOException {
    Properties saved = new Properties();
    try (Reader reader = Files.newBufferedReader(file, StandardCharsets.UTF_8)) {
      saved.load(reader);
    } catch (NoSuchFileException firstStart) {
      return Optional.empty();
    } catch (IllegalArgumentException malformed) {
      throw new IOException(file + " is not a session file", malformed);
    }
    String sessionId = saved.getProperty(SESSION_ID, "");
    if (sessionId.isEmpty() || !name(principal).equals(saved.getProperty(PRINCIPAL))) {
      return Optional.empty();
    }
    return Optional.of(new SavedSession(sessionId, saved.getProperty(ASSIGNED_ID, "")));
  }

  @Override
  public synchronized void save(Principal principal, SavedSession session) throws IOException {
    Path fresh = createPrivateFile();
    try {
      try (Writer writer = Files.newBufferedWriter(fresh, StandardCharsets.UTF_8)) {
        writer.write(text(principal, session));
      }
      replace(fresh);
    } finally {
      Files.deleteIfExists(fresh);
    }
  }

  private Path createPrivateFile() throws IOException {
    Path folder = file.getParent();
    if (folder == null) {
      throw new IOException(file + " is not a file");
    }
    return Files.createTempFile(folder, ".session", ".tmp", ownerOnly(folder));
  }

  private static FileAttribute<?>[] ownerOnly(Path folder) {
    boolean posix = folder.getFileSystem().supportedFileAttributeViews().contains("posix");
    return posix
        ? new FileAttribute<?>[] {
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"))
        }
        : new FileAttribute<?>[0];
  }

  private void replace(Path fresh) throws IOException {
    try {
      Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE);
    } catch (AtomicMoveNotSupportedException unusualFileSystem) {
      Files.move(fresh, file, StandardCopyOption.REPLACE_EXISTING);
    }
  }

  private static String text(Principal principal, SavedSession session) throws IOException {
    Properties saved = new Properties();
    saved.setProperty(PRINCIPAL, name(principal));
    saved.setProperty(SESSION_ID, session.sessionId());
    saved.setProperty(ASSIGNED_ID, session.assignedId());
    StringWriter text = new StringWriter();
    saved.store(text, null);
    return text.toString();
  }

  /** Unambiguous: parts hold no control characters. */
  private static String name(Principal principal) {
    return String.join("\n", principal.path());
  }
}
