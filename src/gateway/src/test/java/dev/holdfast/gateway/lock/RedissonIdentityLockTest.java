package dev.holdfast.gateway.lock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.gateway.cluster.Self;
import dev.holdfast.gateway.error.GatewayError;
import dev.holdfast.gateway.error.GatewayException;
import dev.holdfast.gateway.identity.ConnectionId;
import dev.holdfast.gateway.identity.Identity;
import dev.holdfast.gateway.identity.IdentityKind;
import dev.holdfast.gateway.lock.AcquireResult.Acquired;
import dev.holdfast.gateway.lock.AcquireResult.Refused;
import dev.holdfast.gateway.redis.RedisConnection;
import dev.holdfast.gateway.testing.RedisFixture;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.redisson.api.RBucket;
import org.redisson.api.RScript;
import org.redisson.api.RedissonClient;
import org.redisson.client.codec.StringCodec;

/** Every branch of the scripts, on a real Redis, through two gateways. */
class RedissonIdentityLockTest {
  private static final Duration TTL = Duration.ofSeconds(30);
  private static final SecureRandom RANDOM = new SecureRandom();

  private static RedisConnection redis;
  private static RedissonClient client;
  private static RedissonIdentityLock lockA;
  private static RedissonIdentityLock lockB;

  private final Identity identity = identity();
  private final ConnectionId first = ConnectionId.random(RANDOM);
  private final ConnectionId second = ConnectionId.random(RANDOM);
  private final ConnectionId third = ConnectionId.random(RANDOM);

  @BeforeAll
  static void connect() {
    redis = RedisFixture.connect();
    client = redis.connected().toCompletableFuture().join();
    lockA = gateway("gw-a", "00000000000000aa");
    lockB = gateway("gw-b", "00000000000000bb");
  }

  @AfterAll
  static void disconnect() {
    redis.close();
  }

  @Test
  void acquire_whenFree_holdsWithTtlAndFreshToken() {
    Instant before = redisTime();

    Acquired held = acquired(lockA, first);

    assertThat(held.resumed()).isFalse();
    assertThat(held.lock().session()).isEqualTo(first);
    assertThat(held.lock().gatewayId()).isEqualTo("gw-a");
    assertThat(held.lock().gatewayEpoch()).isEqualTo("00000000000000aa");
    assertThat(held.lock().apiKeyId()).isEqualTo("key-1");
    assertThat(held.lock().since()).isBetween(before.minusMillis(1), redisTime());
    assertThat(held.lock().token() / 1000).isGreaterThanOrEqualTo(before.toEpochMilli());
    assertThat(lockKey().remainTimeToLive()).isBetween(TTL.toMillis() - 5000, TTL.toMillis());
    assertThat(found()).contains(held.lock());
  }

  @Test
  void acquire_whenHeldByAnother_refusesWithHolderAndRemaining() {
    Acquired held = acquired(lockA, first);

    Refused refused = refused(lockB, request(second, "key-1"));

    assertThat(refused.holder()).isEqualTo(held.lock());
    assertThat(refused.remaining()).isBetween(TTL.minusSeconds(5), TTL);
    assertThat(found()).contains(held.lock());
  }

  @Test
  void acquire_whenHeldWithoutExpiry_refusesForOneTtl() {
    acquired(lockA, first);
    lockKey().clearExpire();

    assertThat(refused(lockB, request(second, "key-1")).remaining()).isEqualTo(TTL);
  }

  @Test
  void f1_acquire_fromTwoGatewaysAtOnce_hasOneWinner() {
    List<CompletableFuture<AcquireResult>> answers = new ArrayList<>();
    for (int i = 0; i < 50; i++) {
      RedissonIdentityLock lock = i % 2 == 0 ? lockA : lockB;
      answers.add(
          lock.acquire(request(ConnectionId.random(RANDOM), "key-1")).toCompletableFuture());
    }

    List<AcquireResult> results = answers.stream().map(CompletableFuture::join).toList();

    assertThat(results).filteredOn(Acquired.class::isInstance).hasSize(1);
    Acquired winner =
        (Acquired) results.stream().filter(Acquired.class::isInstance).findFirst().orElseThrow();
    assertThat(results)
        .filteredOn(Refused.class::isInstance)
        .allMatch(r -> ((Refused) r).holder().equals(winner.lock()));
  }

  @Test
  void f7_acquire_repeatedAfterLostReply_winsAgainWithSameTokenAndFullTtl() {
    Acquired held = acquired(lockA, first);
    lockKey().expire(Duration.ofSeconds(1));

    Acquired again = acquired(lockA, first);

    assertThat(again).isEqualTo(held);
    assertThat(lockKey().remainTimeToLive()).isGreaterThan(TTL.toMillis() - 5000);
  }

  @Test
  void acquire_afterRelease_hasGreaterToken() {
    long token = acquired(lockA, first).lock().token();
    assertThat(join(lockA.release(key(first)))).isTrue();

    assertThat(acquired(lockB, second).lock().token()).isGreaterThan(token);
  }

  @Test
  void f8_acquire_whenRedisClockIsBehindTheLastToken_stillRises() {
    long future = (redisTime().toEpochMilli() + 3_600_000) * 1000;
    fenceKey().set(Long.toString(future));

    assertThat(acquired(lockA, first).lock().token()).isEqualTo(future + 1);
    assertThat(fenceKey().get()).isEqualTo(Long.toString(future + 1));
  }

  @Test
  void f4_acquire_whenTheCounterIsLost_stillRises() {
    long token = acquired(lockA, first).lock().token();
    lockKey().delete();
    fenceKey().delete();

    assertThat(acquired(lockB, second).lock().token()).isGreaterThan(token);
  }

  @Test
  void acquire_keepsTheFenceForDays() {
    acquired(lockA, first);

    assertThat(Duration.ofMillis(fenceKey().remainTimeToLive())).isGreaterThan(Duration.ofDays(6));
  }

  @Test
  void resume_ofTheHolder_replacesItAtomically() {
    LockRecord old = acquired(lockA, first).lock();

    Acquired resumed = resumed(lockB, second, first, "key-1");

    assertThat(resumed.resumed()).isTrue();
    assertThat(resumed.superseded()).contains(old);
    assertThat(resumed.lock().token()).isGreaterThan(old.token());
    assertThat(resumed.lock().gatewayId()).isEqualTo("gw-b");
    assertThat(found()).contains(resumed.lock());
  }

  @Test
  void f7_resume_repeatedAfterLostReply_isStillAResumeOfTheSameLock() {
    acquired(lockA, first);
    Acquired resumed = resumed(lockB, second, first, "key-1");

    assertThat(resumed(lockB, second, first, "key-1")).isEqualTo(resumed);
  }

  @Test
  void resume_whenFree_acquiresWithoutResuming() {
    Acquired held = resumed(lockA, second, first, "key-1");

    assertThat(held.resumed()).isFalse();
    assertThat(held.lock().session()).isEqualTo(second);
  }

  @Test
  void resume_ofAnotherSession_isRefused() {
    LockRecord holder = acquired(lockA, first).lock();

    assertThat(refused(lockB, resume(third, second, "key-1")).holder()).isEqualTo(holder);
  }

  @Test
  void f13_resume_withAStolenIdUnderAnotherKey_isRefused() {
    LockRecord holder = acquired(lockA, first).lock();

    assertThat(refused(lockB, resume(second, first, "key-2")).holder()).isEqualTo(holder);
    assertThat(found()).contains(holder);
  }

  @Test
  void f12_resume_afterExpiryAndAThirdClient_isRefusedAndLeavesTheThird() {
    acquired(lockA, first);
    lockKey().delete(); // The expiry.
    LockRecord holder = acquired(lockB, third).lock();

    assertThat(refused(lockA, resume(second, first, "key-1")).holder()).isEqualTo(holder);
    assertThat(found()).contains(holder);
  }

  @Test
  void f12_resume_afterExpiryBeforeAThirdClient_holdsAndTheThirdIsRefused() {
    acquired(lockA, first);
    lockKey().delete(); // The expiry.
    Acquired held = resumed(lockA, second, first, "key-1");

    assertThat(held.resumed()).isFalse();
    assertThat(refused(lockB, request(third, "key-1")).holder()).isEqualTo(held.lock());
  }

  @Test
  void f12_resume_racingTheExpiryAndAThirdClient_hasExactlyOneWinner() {
    for (int round = 0; round < 100; round++) {
      Identity raced = identity();
      join(lockA.acquire(new AcquireRequest(raced, first, "key-1", Optional.empty())));
      CompletionStage<Boolean> expiry = lockA.release(new LockKey(raced, first));
      CompletionStage<AcquireResult> stranger =
          lockB.acquire(new AcquireRequest(raced, third, "key-1", Optional.empty()));
      CompletionStage<AcquireResult> resume =
          lockA.acquire(new AcquireRequest(raced, second, "key-1", Optional.of(first)));

      join(expiry);
      boolean strangerWon = join(stranger) instanceof Acquired;
      boolean resumeWon = join(resume) instanceof Acquired;

      assertThat(strangerWon).isNotEqualTo(resumeWon);
      assertThat(join(lockA.find(raced)).orElseThrow().session())
          .isEqualTo(strangerWon ? third : second);
    }
  }

  @Test
  void refresh_extendsWhatIsOwnedOnly() {
    Identity lost = identity();
    acquired(lockA, first);
    lockKey().expire(Duration.ofSeconds(1));

    List<RefreshResult> results =
        join(lockA.refresh(List.of(key(first), new LockKey(lost, first), key(second))));

    assertThat(results)
        .containsExactly(RefreshResult.EXTENDED, RefreshResult.NOT_OWNER, RefreshResult.NOT_OWNER);
    assertThat(lockKey().remainTimeToLive()).isGreaterThan(TTL.toMillis() - 5000);
  }

  @Test
  void f10_refresh_byAnOldHolder_doesNotExtendItsSuccessor() {
    acquired(lockA, first);
    resumed(lockB, second, first, "key-1");
    lockKey().expire(Duration.ofSeconds(5));

    assertThat(join(lockA.refresh(List.of(key(first))))).containsExactly(RefreshResult.NOT_OWNER);
    assertThat(lockKey().remainTimeToLive()).isLessThanOrEqualTo(5000);
  }

  @Test
  void refresh_ofNothing_isEmpty() {
    assertThat(join(lockA.refresh(List.of()))).isEmpty();
  }

  @Test
  void refresh_ofMoreThanOneBatch_answersInOrder() {
    int count = RedissonIdentityLock.BATCH_SIZE * 2 + 10;
    List<LockKey> keys =
        IntStream.range(0, count).mapToObj(i -> new LockKey(identity(), first)).toList();
    keys.stream()
        .map(k -> lockA.acquire(new AcquireRequest(k.identity(), first, "k", Optional.empty())))
        .toList()
        .forEach(RedissonIdentityLockTest::join);
    join(lockA.release(keys.get(300)));

    List<RefreshResult> results = join(lockA.refresh(keys));

    assertThat(results).hasSize(count);
    assertThat(results.get(300)).isEqualTo(RefreshResult.NOT_OWNER);
    assertThat(results).filteredOn(r -> r == RefreshResult.EXTENDED).hasSize(count - 1);
  }

  @Test
  void release_byTheOwner_freesTheIdentityOnce() {
    acquired(lockA, first);

    assertThat(join(lockA.release(key(first)))).isTrue();
    assertThat(join(lockA.release(key(first)))).isFalse();
    assertThat(found()).isEmpty();
  }

  @Test
  void f9_release_byAnOldHolder_leavesItsSuccessor() {
    acquired(lockA, first);
    LockRecord successor = resumed(lockB, second, first, "key-1").lock();

    assertThat(join(lockA.release(key(first)))).isFalse();
    assertThat(found()).contains(successor);
  }

  @Test
  void f11_everyScript_afterScriptFlush_stillRuns() {
    RScript scripts = client.getScript();
    scripts.scriptFlush();
    acquired(lockA, first);
    scripts.scriptFlush();
    assertThat(join(lockA.refresh(List.of(key(first))))).containsExactly(RefreshResult.EXTENDED);
    scripts.scriptFlush();
    assertThat(found()).isPresent();
    scripts.scriptFlush();
    assertThat(join(lockA.release(key(first)))).isTrue();
  }

  @Test
  void find_ofAnUnreadableValue_failsForThatIdentityOnly() {
    lockKey().set("9 a lock of a later version");
    CompletionStage<Optional<LockRecord>> unreadable = lockA.find(identity);

    assertThatThrownBy(() -> join(unreadable))
        .isInstanceOf(CompletionException.class)
        .cause()
        .isInstanceOfSatisfying(
            GatewayException.class, e -> assertThat(e.error()).isEqualTo(GatewayError.INTERNAL));
    assertThat(join(lockA.find(identity()))).isEmpty();
  }

  @Test
  void acquire_withAKeyIdThatIsNoWord_isADefect() {
    assertThatThrownBy(() -> lockA.acquire(request(first, "key 1")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("'key 1'");
  }

  private static RedissonIdentityLock gateway(String id, String epoch) {
    return new RedissonIdentityLock(
        redis, new Self(id, epoch, "1.0", Instant.EPOCH), TTL, System::nanoTime);
  }

  private static Identity identity() {
    return Identity.of(IdentityKind.AGENT, "acme", "builder", UUID.randomUUID().toString());
  }

  private AcquireRequest request(ConnectionId session, String apiKeyId) {
    return new AcquireRequest(identity, session, apiKeyId, Optional.empty());
  }

  private AcquireRequest resume(ConnectionId session, ConnectionId old, String apiKeyId) {
    return new AcquireRequest(identity, session, apiKeyId, Optional.of(old));
  }

  private Acquired acquired(RedissonIdentityLock lock, ConnectionId session) {
    return (Acquired) join(lock.acquire(request(session, "key-1")));
  }

  private Acquired resumed(
      RedissonIdentityLock lock, ConnectionId session, ConnectionId old, String apiKeyId) {
    return (Acquired) join(lock.acquire(resume(session, old, apiKeyId)));
  }

  private static Refused refused(RedissonIdentityLock lock, AcquireRequest request) {
    return (Refused) join(lock.acquire(request));
  }

  private LockKey key(ConnectionId session) {
    return new LockKey(identity, session);
  }

  private Optional<LockRecord> found() {
    return join(lockA.find(identity));
  }

  private RBucket<String> lockKey() {
    return client.getBucket(LockForms.lockKey(identity), StringCodec.INSTANCE);
  }

  private RBucket<String> fenceKey() {
    return client.getBucket(LockForms.fenceKey(identity), StringCodec.INSTANCE);
  }

  private static Instant redisTime() {
    Long millis =
        client
            .getScript(StringCodec.INSTANCE)
            .eval(
                RScript.Mode.READ_WRITE,
                "local t = redis.call('TIME') return math.floor(t[1] * 1000 + t[2] / 1000)",
                RScript.ReturnType.LONG);
    return Instant.ofEpochMilli(millis);
  }

  private static <T> T join(CompletionStage<T> stage) {
    return stage.toCompletableFuture().join();
  }
}
