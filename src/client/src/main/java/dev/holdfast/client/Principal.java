package dev.holdfast.client;

import java.util.List;

/**
 * Who connects: one of the eight kinds of principal, each with its own rule of uniqueness.
 *
 * <p>Immutable. Every part is 1 to {@value #MAX_PART_BYTES} bytes of UTF-8 without control
 * characters; a constructor throws {@link IllegalArgumentException} naming the part and its value
 * otherwise.
 */
public sealed interface Principal
    permits Principal.Agent,
        Principal.UniqueTask,
        Principal.Task,
        Principal.User,
        Principal.WorkflowEngine,
        Principal.MetricsBridge,
        Principal.Orchestrator,
        Principal.Service {

  /** The longest part of a principal, in bytes of UTF-8. */
  int MAX_PART_BYTES = 200;

  /** Calls the visitor's method for this kind. */
  <R> R accept(Visitor<R> visitor);

  /** The kind's name and the parts, in their order; never empty. */
  List<String> path();

  /** One connection per workspace, implementation and specifier. */
  record Agent(String workspace, String implementation, String specifier) implements Principal {
    /** Checks the parts. */
    public Agent {
      part("workspace", workspace);
      part("implementation", implementation);
      part("specifier", specifier);
    }

    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.agent(this);
    }

    @Override
    public List<String> path() {
      return List.of("agent", workspace, implementation, specifier);
    }
  }

  /** One connection per workspace, implementation and unique specifier. */
  record UniqueTask(String workspace, String implementation, String uniqueSpecifier)
      implements Principal {
    /** Checks the parts. */
    public UniqueTask {
      part("workspace", workspace);
      part("implementation", implementation);
      part("uniqueSpecifier", uniqueSpecifier);
    }

    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.uniqueTask(this);
    }

    @Override
    public List<String> path() {
      return List.of("unique-task", workspace, implementation, uniqueSpecifier);
    }
  }

  /** Any number of connections; the gateway assigns each an id of its own. */
  record Task(String workspace, String implementation) implements Principal {
    /** Checks the parts. */
    public Task {
      part("workspace", workspace);
      part("implementation", implementation);
    }

    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.task(this);
    }

    @Override
    public List<String> path() {
      return List.of("task", workspace, implementation);
    }
  }

  /** One connection per user and window. */
  record User(String userId, String windowId) implements Principal {
    /** Checks the parts. */
    public User {
      part("userId", userId);
      part("windowId", windowId);
    }

    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.user(this);
    }

    @Override
    public List<String> path() {
      return List.of("user", userId, windowId);
    }
  }

  /** One connection in the whole deployment. */
  record WorkflowEngine() implements Principal {
    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.workflowEngine(this);
    }

    @Override
    public List<String> path() {
      return List.of("workflow-engine");
    }
  }

  /** One connection in the whole deployment. */
  record MetricsBridge() implements Principal {
    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.metricsBridge(this);
    }

    @Override
    public List<String> path() {
      return List.of("metrics-bridge");
    }
  }

  /** One connection per implementation and specifier. */
  record Orchestrator(String implementation, String specifier) implements Principal {
    /** Checks the parts. */
    public Orchestrator {
      part("implementation", implementation);
      part("specifier", specifier);
    }

    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.orchestrator(this);
    }

    @Override
    public List<String> path() {
      return List.of("orchestrator", implementation, specifier);
    }
  }

  /** One connection per implementation and specifier. */
  record Service(String implementation, String specifier) implements Principal {
    /** Checks the parts. */
    public Service {
      part("implementation", implementation);
      part("specifier", specifier);
    }

    @Override
    public <R> R accept(Visitor<R> visitor) {
      return visitor.service(this);
    }

    @Override
    public List<String> path() {
      return List.of("service", implementation, specifier);
    }
  }

  /**
   * One method per kind of principal.
   *
   * @param <R> what the methods answer
   */
  interface Visitor<R> {
    /** Called for an {@link Agent}. */
    R agent(Agent agent);

    /** Called for a {@link UniqueTask}. */
    R uniqueTask(UniqueTask task);

    /** Called for a {@link Task}. */
    R task(Task task);

    /** Called for a {@link User}. */
    R user(User user);

    /** Called for a {@link WorkflowEngine}. */
    R workflowEngine(WorkflowEngine engine);

    /** Called for a {@link MetricsBridge}. */
    R metricsBridge(MetricsBridge bridge);

    /** Called for an {@link Orchestrator}. */
    R orchestrator(Orchestrator orchestrator);

    /** Called for a {@link Service}. */
    R service(Service service);
  }

  private static void part(String name, String value) {
    Check.text(name, value, MAX_PART_BYTES);
  }
}
