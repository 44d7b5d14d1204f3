package dev.holdfast.gateway.access;

import io.grpc.Context;

/** Carries the authenticated caller from the interceptor to the endpoints. */
public final class CallerContext {
  /** Set on every call to a service that needs authentication. */
  public static final Context.Key<Caller> CALLER = Context.key("holdfast-caller");

  private CallerContext() {}
}
