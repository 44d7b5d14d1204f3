package dev.holdfast.systemtests.harness;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/**
 * A process started by this JVM, whose output is kept and which can be signalled, frozen and
 * killed.
 *
 * <p>Thread-safe. What still runs when this JVM ends is killed with its descendants.
 */
public final class ChildProcess implements AutoCloseable {
  private final String name;
  private final Process process;
  private final Output output = new Output();
  private final Set<ProcessHandle> descendants = ConcurrentHashMap.newKeySet();
  private final Thread reader;

  private ChildProcess(String name, Process process) {
    this.name = name;
    this.process = process;
    this.reader = new Thread(this::read, name + "-output");
    reader.setDaemon(true);
  }

  /**
   * Starts {@code command}, with standard error joined to standard output.
   *
   * @param name how messages call the process
   * @throws UncheckedIOException if the program cannot be started
   */
  public static ChildProcess start(String name, ProcessBuilder command) {
    try {
      ChildProcess child = new ChildProcess(name, command.redirectErrorStream(true).start());
      AtExit.add(child);
      child.reader.start();
      return child;
    } catch (IOException e) {
      throw new UncheckedIOException(name + " did not start: " + command.command(), e);
    }
  }

  public long pid() {
    return process.pid();
  }

  public boolean isAlive() {
    return process.isAlive();
  }

  /** Returns what the process has printed so far, line by line. */
  public List<String> output() {
    return output.lines();
  }

  /**
   * Waits for a line of output, past or to come.
   *
   * @return the first such line
   * @throws IllegalStateException if the output ends, or {@code limit} passes, without one
   */
  public String awaitLine(Predicate<String> wanted, Duration limit) {
    return output
        .await(wanted, Deadline.after(limit))
        .orElseThrow(() -> new IllegalStateException(describe("did not print the line awaited")));
  }

  /** Writes one line to the standard input of the process. */
  public void writeLine(String line) {
    try {
      Writer input = process.outputWriter();
      input.write(line + System.lineSeparator());
      input.flush();
    } catch (IOException e) {
      throw new UncheckedIOException(name + " reads no input", e);
    }
  }

  /** Kills the process as {@code kill -9} does, and waits until it is gone. */
  public void kill9() {
    rememberDescendants();
    process.toHandle().destroyForcibly();
    if (!awaitExit(Duration.ofSeconds(10))) {
      throw new IllegalStateException(describe("survived SIGKILL for 10 s"));
    }
  }

  /** Asks the process to end (SIGTERM), without waiting. */
  public void terminate() {
    process.toHandle().destroy(); // unlike Process.destroy, it leaves the output open
  }

  /** Freezes the process (SIGSTOP): it keeps its sockets and does nothing. */
  public void pause() {
    signal("STOP");
  }

  /** Thaws a frozen process (SIGCONT). */
  public void resume() {
    signal("CONT");
  }

  /** Waits for the end of the process, and tells whether it came within {@code limit}. */
  public boolean awaitExit(Duration limit) {
    try {
      return process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  /** Returns the exit status of a process that has ended. */
  public int exitStatus() {
    return process.exitValue();
  }

  /** Kills the process, if it still runs, and everything that it started and that still runs. */
  @Override
  public void close() {
    rememberDescendants();
    process.destroyForcibly();
    descendants.forEach(ProcessHandle::destroyForcibly);
    awaitExit(Duration.ofSeconds(10));
    AtExit.remove(this);
  }

  /** Returns a message that says what happened to the process, with the end of its output. */
  String describe(String what) {
    List<String> lines = output();
    List<String> tail = lines.subList(Math.max(0, lines.size() - 40), lines.size());
    String state = process.isAlive() ? "running" : "ended with status " + process.exitValue();
    return name + " " + what + " (" + state + "). End of its output:\n" + String.join("\n", tail);
  }

  /** Keeps what only a living parent knows: its children outlive it, as strangers. */
  private void rememberDescendants() {
    process.descendants().forEach(descendants::add);
  }

  private void signal(String signal) {
    try {
      Process kill = new ProcessBuilder("kill", "-" + signal, Long.toString(pid())).start();
      if (kill.waitFor() != 0) {
        throw new IllegalStateException(describe("could not be sent SIG" + signal));
      }
    } catch (IOException e) {
      throw new UncheckedIOException("no program to send SIG" + signal, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void read() {
    try (BufferedReader lines = process.inputReader()) {
      String line;
      while ((line = lines.readLine()) != null) {
        output.add(line);
      }
    } catch (IOException e) {
      output.add("(output lost: " + e.getMessage() + ")");
    } finally {
      output.end();
    }
  }
}
