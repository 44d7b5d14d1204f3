package dev.holdfast.gateway.admin;

import jakarta.ws.rs.ApplicationPath;
import jakarta.ws.rs.core.Application;
import java.util.Set;
import org.eclipse.microprofile.openapi.annotations.OpenAPIDefinition;
import org.eclipse.microprofile.openapi.annotations.enums.SecuritySchemeType;
import org.eclipse.microprofile.openapi.annotations.info.Info;
import org.eclipse.microprofile.openapi.annotations.security.SecurityRequirement;
import org.eclipse.microprofile.openapi.annotations.security.SecurityScheme;

/** The REST API under {@code /api}. */
@ApplicationPath("api")
@OpenAPIDefinition(
    info =
        @Info(
            title = "Holdfast administration",
            version = "1",
            description =
                "Every gateway answers for the whole deployment. Errors are"
                    + " `application/problem+json` with the reasons of the error reference."),
    security = @SecurityRequirement(name = "admin"))
@SecurityScheme(
    securitySchemeName = "admin",
    type = SecuritySchemeType.HTTP,
    scheme = "basic",
    description = "A user with the role `admin`.")
public class AdminApplication extends Application {
  @Override
  public Set<Class<?>> getClasses() {
    return Set.of(ConnectionsResource.class, GatewaysResource.class, Problems.class);
  }
}
