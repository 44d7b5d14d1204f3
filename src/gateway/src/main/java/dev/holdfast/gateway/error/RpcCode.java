package dev.holdfast.gateway.error;

/** The gRPC status codes that the catalogue uses, by name and number. */
public enum RpcCode {
  INVALID_ARGUMENT(3),
  DEADLINE_EXCEEDED(4),
  NOT_FOUND(5),
  ALREADY_EXISTS(6),
  PERMISSION_DENIED(7),
  RESOURCE_EXHAUSTED(8),
  ABORTED(10),
  INTERNAL(13),
  UNAVAILABLE(14),
  UNAUTHENTICATED(16);

  private final int number;

  RpcCode(int number) {
    this.number = number;
  }

  public int number() {
    return number;
  }
}
