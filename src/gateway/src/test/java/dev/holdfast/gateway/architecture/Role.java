package dev.holdfast.gateway.architecture;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaField;
import com.tngtech.archunit.core.domain.JavaModifier;
import java.util.List;
import java.util.Set;

/** The roles that a class of the gateway can play. */
final class Role {
  private static final String OURS = "dev.holdfast.gateway.";
  private static final List<String> OUTSIDE =
      List.of(
          "jakarta.",
          "io.grpc.",
          "io.netty.",
          "org.redisson.",
          "org.eclipse.microprofile.",
          "com.ibm.");

  /** Adapters as a whole: whoever uses them is an adapter, too. */
  private static final Set<String> ADAPTER_PACKAGES = Set.of(OURS + "redis", OURS + "server");

  private Role() {}

  /** A class that touches the container, a wire or Redis. */
  static DescribedPredicate<JavaClass> edge() {
    return DescribedPredicate.describe("edge", Role::isEdge);
  }

  /** Records and enums that packages show each other. */
  static DescribedPredicate<JavaClass> data() {
    return DescribedPredicate.describe(
        "data",
        type ->
            !isEdge(type)
                && type.getModifiers().contains(JavaModifier.PUBLIC)
                && (type.isRecord() || type.isEnum()));
  }

  /** Everything that is no edge. */
  static DescribedPredicate<JavaClass> core() {
    return DescribedPredicate.describe("core", type -> !isEdge(type));
  }

  /** Core with a state that changes or something to work with. */
  static DescribedPredicate<JavaClass> working() {
    return DescribedPredicate.describe(
        "working",
        type ->
            type.getName().startsWith(OURS)
                && !isEdge(type)
                && !type.isRecord()
                && !type.isEnum()
                && !type.isInterface()
                && !isValue(type));
  }

  private static boolean isEdge(JavaClass type) {
    JavaClass outermost = outermost(type);
    return ADAPTER_PACKAGES.contains(outermost.getPackageName())
        || touchesOutside(type)
        || (!type.isInterface() && touchesOutside(outermost)); // A port may stand in its user.
  }

  private static boolean touchesOutside(JavaClass type) {
    return type.getDirectDependenciesFromSelf().stream()
        .map(Dependency::getTargetClass)
        .anyMatch(Role::isOutside);
  }

  private static boolean isOutside(JavaClass target) {
    return OUTSIDE.stream().anyMatch(target.getName()::startsWith)
        || ADAPTER_PACKAGES.contains(target.getPackageName());
  }

  private static boolean isValue(JavaClass type) {
    return type.isAssignableTo(Exception.class)
        || type.getFields().stream()
            .filter(field -> !field.getModifiers().contains(JavaModifier.STATIC))
            .allMatch(Role::holdsValue);
  }

  private static boolean holdsValue(JavaField field) {
    String type = field.getRawType().getName();
    return field.getModifiers().contains(JavaModifier.FINAL)
        && !type.startsWith("java.util.concurrent.")
        && !type.startsWith("com.github.");
  }

  private static JavaClass outermost(JavaClass type) {
    return type.getEnclosingClass().map(Role::outermost).orElse(type);
  }
}
