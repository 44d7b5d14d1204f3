package dev.holdfast.cli;

/** Where the program starts. */
public final class Main {
  private Main() {}

  /** Runs the command and ends the process with its exit code. */
  public static void main(String[] args) {
    System.exit(HoldfastCommand.commandLine(System.in).execute(args));
  }
}
