package dev.holdfast.gateway.admin;

import dev.holdfast.gateway.error.GatewayError;
import dev.holdfast.gateway.error.GatewayException;
import jakarta.ws.rs.WebApplicationException;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.ext.ExceptionMapper;
import jakarta.ws.rs.ext.Provider;
import java.time.Duration;

/** Answers every failure of the REST API as a problem, without a stack trace. */
@Provider
public class Problems implements ExceptionMapper<Exception> {
  @Override
  public Response toResponse(Exception failure) {
    if (failure instanceof GatewayException known) {
      return response(known);
    }
    if (failure instanceof WebApplicationException http) {
      Response.StatusType status = http.getResponse().getStatusInfo();
      return Response.fromResponse(http.getResponse())
          .type(ProblemDto.MEDIA_TYPE)
          .entity(ProblemDto.ofHttp(status.getStatusCode(), status.getReasonPhrase()))
          .build();
    }
    AdminLog.defect(failure);
    return response(
        new GatewayException(
            GatewayError.INTERNAL,
            "The gateway could not answer because of a defect; see its log."));
  }

  private static Response response(GatewayException e) {
    Response.ResponseBuilder response =
        Response.status(e.error().httpStatus())
            .type(ProblemDto.MEDIA_TYPE)
            .entity(ProblemDto.of(e));
    e.retryAfter()
        .ifPresent(delay -> response.header(HttpHeaders.RETRY_AFTER, wholeSeconds(delay)));
    return response.build();
  }

  private static long wholeSeconds(Duration delay) {
    return Math.max(1, delay.plusMillis(999).toSeconds());
  }
}
