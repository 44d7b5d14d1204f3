package dev.holdfast.gateway.identity;

import java.util.List;

/** The kinds of principal, with the parts that make each of their identities unique. */
public enum IdentityKind {
  AGENT("agent", "workspace", "implementation", "specifier"),
  UNIQUE_TASK("unique-task", "workspace", "implementation", "unique_specifier"),
  TASK("task", "workspace", "implementation", "assigned_id"),
  USER("user", "user_id", "window_id"),
  WORKFLOW_ENGINE("workflow-engine"),
  METRICS_BRIDGE("metrics-bridge"),
  ORCHESTRATOR("orchestrator", "implementation", "specifier"),
  SERVICE("service", "implementation", "specifier");

  private final String label;

  @SuppressWarnings("ImmutableEnumChecker") // List.of is immutable; only its type does not say so.
  private final List<String> partNames;

  IdentityKind(String label, String... partNames) {
    this.label = label;
    this.partNames = List.of(partNames);
  }

  /** Returns the first segment of every identity string of this kind. */
  public String label() {
    return label;
  }

  /** Returns the names of the parts, in the order in which they stand in the identity string. */
  public List<String> partNames() {
    return partNames;
  }
}
