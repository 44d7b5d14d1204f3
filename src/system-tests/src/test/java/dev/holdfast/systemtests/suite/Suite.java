package dev.holdfast.systemtests.suite;

import java.util.function.Supplier;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * Hands the shared deployments to tests, starting each at its first use; all end with the last
 * test, whereupon nothing may be left of them.
 */
public final class Suite implements ParameterResolver {
  private static final ExtensionContext.Namespace NAMESPACE =
      ExtensionContext.Namespace.create(Suite.class);

  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
    Class<?> type = parameter.getParameter().getType();
    return type == SharedCluster.class || type == FaultyCluster.class;
  }

  @Override
  public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
    // Closed in reverse order: the check last.
    once(context, LeftoverCheck.class, LeftoverCheck::new);
    return parameter.getParameter().getType() == SharedCluster.class
        ? once(context, SharedCluster.class, SharedCluster::new)
        : once(context, FaultyCluster.class, FaultyCluster::new);
  }

  private static <T> T once(ExtensionContext context, Class<T> type, Supplier<T> start) {
    return context
        .getRoot()
        .getStore(NAMESPACE)
        .getOrComputeIfAbsent(type, key -> start.get(), type);
  }
}
