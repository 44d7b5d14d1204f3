package dev.holdfast.client;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The SDK stands alone: nothing of Jakarta, Redisson or the server is with it. */
@AnalyzeClasses(
    packages = "dev.holdfast.client",
    importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {
  @ArchTest
  static final ArchRule dependsOnlyOnGrpcAndItsProtocol =
      classes()
          .should()
          .onlyDependOnClassesThat()
          .resideInAnyPackage(
              "java..",
              "dev.holdfast.client",
              "dev.holdfast.protocol.gateway.v1",
              "io.grpc",
              "io.grpc.protobuf",
              "io.grpc.stub",
              "com.google.protobuf",
              "com.google.rpc",
              "org.jspecify.annotations");

  @ArchTest
  static final ArchRule printsNothing =
      noClasses()
          .should()
          .accessField(System.class, "out")
          .orShould()
          .accessField(System.class, "err");

  @ArchTest
  static final ArchRule nothingIsCalledImpl = noClasses().should().haveSimpleNameEndingWith("Impl");

  @ParameterizedTest
  @ValueSource(
      strings = {
        "jakarta.ejb.Singleton",
        "jakarta.inject.Inject",
        "jakarta.ws.rs.Path",
        "org.redisson.Redisson",
        "dev.holdfast.gateway.error.GatewayError",
      })
  void classPath_isFreeOf(String name) {
    assertThatThrownBy(() -> Class.forName(name)).isInstanceOf(ClassNotFoundException.class);
  }
}
