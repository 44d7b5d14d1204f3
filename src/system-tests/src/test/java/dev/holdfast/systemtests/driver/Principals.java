package dev.holdfast.systemtests.driver;

import dev.holdfast.protocol.gateway.v1.Agent;
import dev.holdfast.protocol.gateway.v1.MetricsBridge;
import dev.holdfast.protocol.gateway.v1.Orchestrator;
import dev.holdfast.protocol.gateway.v1.Principal;
import dev.holdfast.protocol.gateway.v1.Service;
import dev.holdfast.protocol.gateway.v1.Task;
import dev.holdfast.protocol.gateway.v1.UniqueTask;
import dev.holdfast.protocol.gateway.v1.User;
import dev.holdfast.protocol.gateway.v1.WorkflowEngine;
import java.util.concurrent.atomic.AtomicLong;

/** Principals to connect as. */
public final class Principals {
  private static final AtomicLong NEXT = new AtomicLong();

  private Principals() {}

  /** Returns an agent that no other test has. */
  public static Principal freshAgent() {
    return agent("acme", "prober", ProcessHandle.current().pid() + "-" + NEXT.incrementAndGet());
  }

  public static Principal agent(String workspace, String implementation, String specifier) {
    return Principal.newBuilder()
        .setAgent(
            Agent.newBuilder()
                .setWorkspace(workspace)
                .setImplementation(implementation)
                .setSpecifier(specifier))
        .build();
  }

  public static Principal uniqueTask(String workspace, String implementation, String specifier) {
    return Principal.newBuilder()
        .setUniqueTask(
            UniqueTask.newBuilder()
                .setWorkspace(workspace)
                .setImplementation(implementation)
                .setUniqueSpecifier(specifier))
        .build();
  }

  /** Returns a non-unique task; {@code assignedId} is empty at its first connect. */
  public static Principal task(String workspace, String implementation, String assignedId) {
    return Principal.newBuilder()
        .setTask(
            Task.newBuilder()
                .setWorkspace(workspace)
                .setImplementation(implementation)
                .setAssignedId(assignedId))
        .build();
  }

  public static Principal user(String user, String window) {
    return Principal.newBuilder()
        .setUser(User.newBuilder().setUserId(user).setWindowId(window))
        .build();
  }

  public static Principal workflowEngine() {
    return Principal.newBuilder().setWorkflowEngine(WorkflowEngine.getDefaultInstance()).build();
  }

  public static Principal metricsBridge() {
    return Principal.newBuilder().setMetricsBridge(MetricsBridge.getDefaultInstance()).build();
  }

  public static Principal orchestrator(String implementation, String specifier) {
    return Principal.newBuilder()
        .setOrchestrator(
            Orchestrator.newBuilder().setImplementation(implementation).setSpecifier(specifier))
        .build();
  }

  public static Principal service(String implementation, String specifier) {
    return Principal.newBuilder()
        .setService(Service.newBuilder().setImplementation(implementation).setSpecifier(specifier))
        .build();
  }
}
