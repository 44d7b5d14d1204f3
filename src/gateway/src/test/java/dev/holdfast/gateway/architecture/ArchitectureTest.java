package dev.holdfast.gateway.architecture;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.fields;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.library.GeneralCodingRules;
import org.junit.jupiter.api.Test;

final class ArchitectureTest {
  private static final JavaClasses GATEWAY =
      new ClassFileImporter()
          .withImportOption(new ImportOption.DoNotIncludeTests())
          .importPackages("dev.holdfast.gateway");

  @Test
  void core_neverDependsOnEdge() {
    check(noClasses().that(Role.core()).should().dependOnClassesThat(Role.edge()));
  }

  @Test
  void data_dependsOnDataOnly() {
    check(
        noClasses().that(Role.data()).should().dependOnClassesThat(Role.edge().or(Role.working())));
  }

  @Test
  void packages_haveNoCycles() {
    check(slices().matching("dev.holdfast.gateway.(*)..").should().beFreeOfCycles());
  }

  @Test
  void nobody_printsToTheConsole() {
    check(GeneralCodingRules.NO_CLASSES_SHOULD_ACCESS_STANDARD_STREAMS);
  }

  @Test
  void logging_isDoneByLogClassesOnly() {
    check(
        noClasses()
            .that()
            .haveSimpleNameNotEndingWith("Log")
            .and()
            .doNotHaveSimpleName("OperatorLevel")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("java.util.logging"));
  }

  @Test
  void nobody_isCalledImpl() {
    check(noClasses().should().haveSimpleNameEndingWith("Impl"));
  }

  @Test
  void injection_intoFieldsIsForTheEdge() {
    check(
        fields()
            .that()
            .areAnnotatedWith("jakarta.inject.Inject")
            .or()
            .areAnnotatedWith("jakarta.annotation.Resource")
            .should()
            .beDeclaredInClassesThat(Role.edge()));
  }

  @Test
  void shells_areTheOnlyEnterpriseBeans() {
    check(
        classes()
            .that()
            .areAnnotatedWith("jakarta.ejb.Singleton")
            .should()
            .resideInAPackage("..server.."));
  }

  private static void check(ArchRule rule) {
    rule.check(GATEWAY);
  }
}
