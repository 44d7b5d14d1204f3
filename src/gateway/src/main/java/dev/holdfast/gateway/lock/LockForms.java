package dev.holdfast.gateway.lock;

import dev.holdfast.gateway.identity.ConnectionId;
import dev.holdfast.gateway.identity.Identity;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** How the items of each lock script are written, and its replies read. */
final class LockForms {
  private static final String NO_RESUME = "-";

  private LockForms() {}

  static String lockKey(Identity identity) {
    return "holdfast:{" + identity + "}:lock";
  }

  static String fenceKey(Identity identity) {
    return "holdfast:{" + identity + "}:fence";
  }

  /** {@code acquire.lua}. */
  record Acquire(Duration ttl) implements LockScript.Form<AcquireRequest, AcquireResult> {
    @Override
    public List<String> keys(AcquireRequest request) {
      return List.of(lockKey(request.identity()), fenceKey(request.identity()));
    }

    @Override
    public List<String> arguments(AcquireRequest request) {
      return List.of(
          request.session().value(),
          LockValue.word(request.apiKeyId()),
          request.resume().map(ConnectionId::value).orElse(NO_RESUME));
    }

    @Override
    public int replyWidth() {
      return 3;
    }

    @Override
    public AcquireResult read(AcquireRequest request, List<Object> reply) {
      LockValue value = LockValue.parse((String) reply.get(1));
      long remainingMillis = (Long) reply.get(2);
      if (isOne(reply.get(0))) {
        return new AcquireResult.Acquired(value.lock(), value.superseded());
      }
      Duration remaining = remainingMillis < 0 ? ttl : Duration.ofMillis(remainingMillis);
      return new AcquireResult.Refused(value.lock(), remaining);
    }
  }

  /** {@code refresh.lua} and {@code release.lua}. */
  record Owned() implements LockScript.Form<LockKey, Boolean> {
    @Override
    public List<String> keys(LockKey key) {
      return List.of(lockKey(key.identity()));
    }

    @Override
    public List<String> arguments(LockKey key) {
      return List.of(key.session().value());
    }

    @Override
    public int replyWidth() {
      return 1;
    }

    @Override
    public Boolean read(LockKey key, List<Object> reply) {
      return isOne(reply.get(0));
    }
  }

  /** {@code find.lua}. */
  record Find() implements LockScript.Form<Identity, Optional<LockRecord>> {
    @Override
    public List<String> keys(Identity identity) {
      return List.of(lockKey(identity));
    }

    @Override
    public List<String> arguments(Identity identity) {
      return List.of();
    }

    @Override
    public int replyWidth() {
      return 1;
    }

    @Override
    public Optional<LockRecord> read(Identity identity, List<Object> reply) {
      String value = (String) reply.get(0);
      return value.isEmpty() ? Optional.empty() : Optional.of(LockValue.parse(value).lock());
    }
  }

  private static boolean isOne(Object number) {
    return (Long) number == 1;
  }
}
