package dev.holdfast.gateway.server;

import java.util.logging.Level;

/** A level that Liberty shows on the console, too, without being a warning. */
final class OperatorLevel extends Level {
  /** Liberty's own level for what concerns operators, between INFO and WARNING. */
  static final Level AUDIT = new OperatorLevel();

  private static final long serialVersionUID = 1L;

  private OperatorLevel() {
    super("AUDIT", 850);
  }
}
