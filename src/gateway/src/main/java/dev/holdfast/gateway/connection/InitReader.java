package dev.holdfast.gateway.connection;

import dev.holdfast.gateway.error.GatewayError;
import dev.holdfast.gateway.error.GatewayException;
import dev.holdfast.gateway.identity.ConnectionId;
import dev.holdfast.gateway.identity.Identity;
import dev.holdfast.gateway.identity.IdentityKind;
import dev.holdfast.protocol.gateway.v1.Agent;
import dev.holdfast.protocol.gateway.v1.InitConnection;
import dev.holdfast.protocol.gateway.v1.Orchestrator;
import dev.holdfast.protocol.gateway.v1.Principal;
import dev.holdfast.protocol.gateway.v1.Service;
import dev.holdfast.protocol.gateway.v1.Task;
import dev.holdfast.protocol.gateway.v1.UniqueTask;
import dev.holdfast.protocol.gateway.v1.User;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.Optional;
import java.util.regex.Pattern;

/** Reads the first frame of a stream. Thread-safe. */
final class InitReader {
  private static final int MAX_AGENT_BYTES = 100;
  private static final int ASSIGNED_ID_BYTES = 16;
  private static final Pattern ASSIGNED_ID = Pattern.compile("[0-9a-f]{32}");

  private final SecureRandom random;

  InitReader(SecureRandom random) {
    this.random = random;
  }

  /**
   * Reads {@code init} and assigns an id to a non-unique task that has none.
   *
   * @throws GatewayException {@code INVALID_IDENTITY} or {@code INVALID_INIT}, naming the field
   */
  InitRequest read(InitConnection init) {
    Optional<ConnectionId> resume = resumeOf(init.getResumeSessionId());
    String assignedId = assignedIdOf(init.getPrincipal(), resume.isPresent());
    return new InitRequest(
        identityOf(init.getPrincipal(), assignedId),
        resume,
        assignedId,
        Integer.toUnsignedLong(init.getMessageCredit()),
        agentOf(init.getClientAgent()));
  }

  private static Optional<ConnectionId> resumeOf(String text) {
    if (text.isEmpty()) {
      return Optional.empty();
    }
    Optional<ConnectionId> session = ConnectionId.parse(text);
    if (session.isEmpty()) {
      throw invalid(
          "resume_session_id is no session id; send what the ConnectionAck said, or nothing.");
    }
    return session;
  }

  private String assignedIdOf(Principal principal, boolean resuming) {
    if (!principal.hasTask()) {
      return "";
    }
    String asked = principal.getTask().getAssignedId();
    if (asked.isEmpty()) {
      byte[] id = new byte[ASSIGNED_ID_BYTES];
      random.nextBytes(id);
      return HexFormat.of().formatHex(id);
    }
    if (!resuming) {
      throw invalid(
          "assigned_id is given without resume_session_id; leave it empty, the gateway assigns"
              + " one.");
    }
    if (!ASSIGNED_ID.matcher(asked).matches()) {
      throw invalid("assigned_id is not 32 lower-case hexadecimal digits, as the ack gave it.");
    }
    return asked;
  }

  private static Identity identityOf(Principal principal, String assignedId) {
    return switch (principal.getKindCase()) {
      case AGENT -> {
        Agent agent = principal.getAgent();
        yield Identity.of(
            IdentityKind.AGENT,
            agent.getWorkspace(),
            agent.getImplementation(),
            agent.getSpecifier());
      }
      case UNIQUE_TASK -> {
        UniqueTask task = principal.getUniqueTask();
        yield Identity.of(
            IdentityKind.UNIQUE_TASK,
            task.getWorkspace(),
            task.getImplementation(),
            task.getUniqueSpecifier());
      }
      case TASK -> {
        Task task = principal.getTask();
        yield Identity.of(
            IdentityKind.TASK, task.getWorkspace(), task.getImplementation(), assignedId);
      }
      case USER -> {
        User user = principal.getUser();
        yield Identity.of(IdentityKind.USER, user.getUserId(), user.getWindowId());
      }
      case WORKFLOW_ENGINE -> Identity.of(IdentityKind.WORKFLOW_ENGINE);
      case METRICS_BRIDGE -> Identity.of(IdentityKind.METRICS_BRIDGE);
      case ORCHESTRATOR -> {
        Orchestrator orchestrator = principal.getOrchestrator();
        yield Identity.of(
            IdentityKind.ORCHESTRATOR,
            orchestrator.getImplementation(),
            orchestrator.getSpecifier());
      }
      case SERVICE -> {
        Service service = principal.getService();
        yield Identity.of(
            IdentityKind.SERVICE, service.getImplementation(), service.getSpecifier());
      }
      case KIND_NOT_SET ->
          throw new GatewayException(
              GatewayError.INVALID_IDENTITY,
              "The principal has none of the known kinds; set one of its fields.");
    };
  }

  private static String agentOf(String text) {
    int bytes = text.getBytes(StandardCharsets.UTF_8).length;
    if (bytes > MAX_AGENT_BYTES) {
      throw invalid(
          "client_agent is %d bytes long; at most %d are allowed."
              .formatted(bytes, MAX_AGENT_BYTES));
    }
    if (text.codePoints().anyMatch(Character::isISOControl)) {
      throw invalid("client_agent holds a control character.");
    }
    return text;
  }

  private static GatewayException invalid(String message) {
    return new GatewayException(GatewayError.INVALID_INIT, message);
  }
}
