package dev.holdfast.client;

import dev.holdfast.protocol.gateway.v1.Agent;
import dev.holdfast.protocol.gateway.v1.MetricsBridge;
import dev.holdfast.protocol.gateway.v1.Orchestrator;
import dev.holdfast.protocol.gateway.v1.Principal;
import dev.holdfast.protocol.gateway.v1.Service;
import dev.holdfast.protocol.gateway.v1.Task;
import dev.holdfast.protocol.gateway.v1.UniqueTask;
import dev.holdfast.protocol.gateway.v1.User;
import dev.holdfast.protocol.gateway.v1.WorkflowEngine;

/**
 * A principal as the wire shows it.
 *
 * @param assignedId the id that the gateway assigned to a task earlier; empty if none
 */
record PrincipalMapper(String assignedId)
    implements dev.holdfast.client.Principal.Visitor<Principal> {

  @Override
  public Principal agent(dev.holdfast.client.Principal.Agent agent) {
    return Principal.newBuilder()
        .setAgent(
            Agent.newBuilder()
                .setWorkspace(agent.workspace())
                .setImplementation(agent.implementation())
                .setSpecifier(agent.specifier()))
        .build();
  }

  @Override
  public Principal uniqueTask(dev.holdfast.client.Principal.UniqueTask task) {
    return Principal.newBuilder()
        .setUniqueTask(
            UniqueTask.newBuilder()
                .setWorkspace(task.workspace())
                .setImplementation(task.implementation())
                .setUniqueSpecifier(task.uniqueSpecifier()))
        .build();
  }

  @Override
  public Principal task(dev.holdfast.client.Principal.Task task) {
    return Principal.newBuilder()
        .setTask(
            Task.newBuilder()
                .setWorkspace(task.workspace())
                .setImplementation(task.implementation())
                .setAssignedId(assignedId))
        .build();
  }

  @Override
  public Principal user(dev.holdfast.client.Principal.User user) {
    return Principal.newBuilder()
        .setUser(User.newBuilder().setUserId(user.userId()).setWindowId(user.windowId()))
        .build();
  }

  @Override
  public Principal workflowEngine(dev.holdfast.client.Principal.WorkflowEngine engine) {
    return Principal.newBuilder().setWorkflowEngine(WorkflowEngine.getDefaultInstance()).build();
  }

  @Override
  public Principal metricsBridge(dev.holdfast.client.Principal.MetricsBridge bridge) {
    return Principal.newBuilder().setMetricsBridge(MetricsBridge.getDefaultInstance()).build();
  }

  @Override
  public Principal orchestrator(dev.holdfast.client.Principal.Orchestrator orchestrator) {
    return Principal.newBuilder()
        .setOrchestrator(
            Orchestrator.newBuilder()
                .setImplementation(orchestrator.implementation())
                .setSpecifier(orchestrator.specifier()))
        .build();
  }

  @Override
  public Principal service(dev.holdfast.client.Principal.Service service) {
    return Principal.newBuilder()
        .setService(
            Service.newBuilder()
                .setImplementation(service.implementation())
                .setSpecifier(service.specifier()))
        .build();
  }
}
