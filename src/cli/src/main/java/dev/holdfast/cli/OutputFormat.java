package dev.holdfast.cli;

/** How the command prints what it has to tell; lower case, because users type the names. */
enum OutputFormat {
  /** For people. */
  table,
  /** For programs. */
  json
}
