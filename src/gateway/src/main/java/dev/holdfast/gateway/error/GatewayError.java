package dev.holdfast.gateway.error;

/**
 * Every error that a client or an administrator can see: one reason, one number, one gRPC code, one
 * HTTP status.
 *
 * <p>The constant's name is the {@code reason} of {@code google.rpc.ErrorInfo}. Numbers are never
 * reused.
 */
public enum GatewayError {
  INIT_TIMEOUT(
      1001,
      RpcCode.DEADLINE_EXCEEDED,
      408,
      RetryClass.NEVER,
      "The first frame did not arrive within the time limit."),
  FIRST_FRAME_NOT_INIT(
      1002,
      RpcCode.INVALID_ARGUMENT,
      400,
      RetryClass.NEVER,
      "The first frame of a stream was not `init`."),
  DUPLICATE_INIT(1003, RpcCode.INVALID_ARGUMENT, 400, RetryClass.NEVER, "A second `init` arrived."),
  MALFORMED_FRAME(
      1004,
      RpcCode.INVALID_ARGUMENT,
      400,
      RetryClass.NEVER,
      "A frame could not be parsed, or holds none of the known kinds."),
  FRAME_TOO_LARGE(
      1005,
      RpcCode.RESOURCE_EXHAUSTED,
      413,
      RetryClass.NEVER,
      "A frame is larger than the gateway accepts."),
  INVALID_IDENTITY(
      1006,
      RpcCode.INVALID_ARGUMENT,
      400,
      RetryClass.NEVER,
      "The principal or identity string is incomplete, too long, or not in canonical form."),
  INVALID_INIT(
      1007,
      RpcCode.INVALID_ARGUMENT,
      400,
      RetryClass.NEVER,
      "`init` holds a field that is out of range or contradicts another."),
  DUPLICATE_IDENTITY(
      2001,
      RpcCode.ALREADY_EXISTS,
      409,
      RetryClass.AFTER_DELAY,
      "Another connection holds the identity."),
  LOCK_LOST(
      2002,
      RpcCode.ABORTED,
      409,
      RetryClass.RECONNECT,
      "The identity is no longer held: its lease ran out or another connection owns it."),
  SUPERSEDED(
      2003,
      RpcCode.ABORTED,
      409,
      RetryClass.NEVER,
      "Another stream resumed this session and holds the identity now."),
  FORCE_DISCONNECT(
      2004, RpcCode.ABORTED, 409, RetryClass.NEVER, "An administrator ended the connection."),
  MISSING_API_KEY(
      3001,
      RpcCode.UNAUTHENTICATED,
      401,
      RetryClass.NEVER,
      "The metadata entry `x-api-key` is missing."),
  INVALID_API_KEY(
      3002, RpcCode.UNAUTHENTICATED, 401, RetryClass.NEVER, "The API key is not known."),
  IDENTITY_NOT_ALLOWED(
      3003,
      RpcCode.PERMISSION_DENIED,
      403,
      RetryClass.NEVER,
      "The API key may not hold this identity."),
  TOO_MANY_FAILURES(
      3004,
      RpcCode.RESOURCE_EXHAUSTED,
      429,
      RetryClass.AFTER_DELAY,
      "Too many failed authentications from this address are still being answered."),
  NOT_CONNECTED(
      4001,
      RpcCode.NOT_FOUND,
      404,
      RetryClass.AFTER_DELAY,
      "No connection holds the receiver's identity."),
  TOO_LARGE(
      4002,
      RpcCode.INVALID_ARGUMENT,
      413,
      RetryClass.NEVER,
      "The payload is larger than the gateway accepts."),
  OVERLOADED(
      4003,
      RpcCode.RESOURCE_EXHAUSTED,
      429,
      RetryClass.AFTER_DELAY,
      "A bounded queue on the way to the receiver is full."),
  DELIVERY_UNKNOWN(
      4004,
      RpcCode.UNAVAILABLE,
      504,
      RetryClass.NEVER,
      "The receiver's gateway did not answer in time: the message may have been accepted."),
  INVALID_MESSAGE(
      4005,
      RpcCode.INVALID_ARGUMENT,
      400,
      RetryClass.NEVER,
      "The message has no usable receiver, correlation id or content type."),
  SHUTTING_DOWN(
      5001,
      RpcCode.UNAVAILABLE,
      503,
      RetryClass.AFTER_DELAY,
      "This gateway is stopping; connect again, to any gateway."),
  LOCK_STORE_UNAVAILABLE(
      5002, RpcCode.UNAVAILABLE, 503, RetryClass.AFTER_DELAY, "Redis did not answer in time."),
  GATEWAY_UNREACHABLE(
      5003,
      RpcCode.UNAVAILABLE,
      504,
      RetryClass.AFTER_DELAY,
      "The gateway that may know the answer did not respond in time."),
  CONNECTION_NOT_FOUND(
      5004, RpcCode.NOT_FOUND, 404, RetryClass.NEVER, "No live connection has this session id."),
  TOO_MANY_CONNECTIONS(
      5005,
      RpcCode.RESOURCE_EXHAUSTED,
      503,
      RetryClass.AFTER_DELAY,
      "This gateway holds as many connections as it may."),
  INVALID_SESSION_ID(
      5006, RpcCode.INVALID_ARGUMENT, 400, RetryClass.NEVER, "This is not a session id."),
  INTERNAL(
      5999,
      RpcCode.INTERNAL,
      500,
      RetryClass.NEVER,
      "A defect of the gateway; its log has the details.");

  /** The {@code domain} of every {@code google.rpc.ErrorInfo}. */
  public static final String DOMAIN = "holdfast.dev";

  private final int number;
  private final RpcCode rpcCode;
  private final int httpStatus;
  private final RetryClass retryClass;
  private final String meaning;

  GatewayError(int number, RpcCode rpcCode, int httpStatus, RetryClass retryClass, String meaning) {
    this.number = number;
    this.rpcCode = rpcCode;
    this.httpStatus = httpStatus;
    this.retryClass = retryClass;
    this.meaning = meaning;
  }

  public int number() {
    return number;
  }

  public RpcCode rpcCode() {
    return rpcCode;
  }

  public int httpStatus() {
    return httpStatus;
  }

  public RetryClass retryClass() {
    return retryClass;
  }

  /** Returns one sentence that says what the error means, for the reference. */
  public String meaning() {
    return meaning;
  }
}
