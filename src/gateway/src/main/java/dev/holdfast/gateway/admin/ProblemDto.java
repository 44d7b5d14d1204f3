package dev.holdfast.gateway.admin;

import dev.holdfast.gateway.error.GatewayException;
import jakarta.json.bind.annotation.JsonbProperty;
import jakarta.json.bind.annotation.JsonbPropertyOrder;
import org.eclipse.microprofile.openapi.annotations.media.Schema;

/**
 * An error in JSON, as RFC 9457 has it.
 *
 * @param reason a reason of the error catalogue
 * @param code its number; 0 for an error of HTTP itself, which the catalogue does not know
 */
@Schema(name = "Problem", description = "What went wrong (RFC 9457).")
@JsonbPropertyOrder({"type", "title", "status", "detail", "reason", "code"})
public record ProblemDto(
    @JsonbProperty("type") String type,
    @JsonbProperty("title") String title,
    @JsonbProperty("status") int status,
    @JsonbProperty("detail") String detail,
    @JsonbProperty("reason") String reason,
    @JsonbProperty("code") int code) {
  static final String MEDIA_TYPE = "application/problem+json";

  static ProblemDto of(GatewayException e) {
    return new ProblemDto(
        "urn:holdfast:error:" + e.error().name(),
        e.error().meaning(),
        e.error().httpStatus(),
        e.getMessage(),
        e.error().name(),
        e.error().number());
  }

  /** Describes an error of HTTP itself, such as an unknown path. */
  static ProblemDto ofHttp(int status, String title) {
    String reason = "HTTP_" + status;
    return new ProblemDto("about:blank", title, status, title + ".", reason, 0);
  }
}
