package dev.holdfast.gateway.lock;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.gateway.config.GatewayConfig;
import dev.holdfast.gateway.identity.ConnectionId;
import dev.holdfast.gateway.identity.Identity;
import dev.holdfast.gateway.identity.IdentityKind;
import dev.holdfast.gateway.lock.InMemoryIdentityLock.Replies;
import dev.holdfast.gateway.telemetry.Meter;
import dev.holdfast.gateway.testing.FakeClock;
import dev.holdfast.gateway.testing.RecordingMeters;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Leases against a lock in memory, with time moved by hand. TTL 30 s, interval 10 s, margin 2 s.
 */
class LeaseRefresherTest {
  private static final SecureRandom RANDOM = new SecureRandom();
  private static final Duration NANO = Duration.ofNanos(1);

  private final FakeClock clock = new FakeClock();
  private final RecordingMeters meters = new RecordingMeters();
  private final InMemoryIdentityLock lock = new InMemoryIdentityLock();
  private final LeaseRefresher refresher =
      new LeaseRefresher(
          lock,
          new GatewayConfig.Lock(seconds(30), seconds(10), seconds(2)),
          clock,
          clock.ticker(),
          meters);
  private final List<String> told = new ArrayList<>();
  private int identities;

  @BeforeEach
  void start() {
    refresher.start();
  }

  @Test
  void refreshed_everyInterval_isHeldForEver() {
    Lease lease = hold();

    clock.advance(Duration.ofHours(1));

    assertThat(told).isEmpty();
    assertThat(lease.remaining()).isGreaterThan(seconds(17));
    assertThat(lock.refreshSizes()).hasSizeBetween(355, 361).containsOnly(1);
    assertThat(meters.total(Meter.REFRESH_DURATION, "")).isEqualTo(lock.refreshSizes().size());
  }

  @Test
  void refresh_failing_isSuspectAtOnceAndTriedAgainBeforeTheNextInterval() {
    hold();
    lock.reply(Replies.LOST);
    clock.advance(seconds(10));
    assertThat(told).containsExactly("suspect PT18S The reply was lost.");

    lock.reply(Replies.AT_ONCE);
    clock.advance(seconds(1));

    assertThat(told).containsExactly("suspect PT18S The reply was lost.", "held PT28S");
    assertThat(meters.total(Meter.REFRESH_FAILURES, "")).isEqualTo(1);
  }

  @Test
  void f6_refresh_whoseReplyIsLost_isOnlySuspectHoweverOften() {
    hold();
    lock.reply(Replies.LOST);
    clock.advance(seconds(27));
    lock.reply(Replies.AT_ONCE);
    clock.advance(seconds(1));

    assertThat(told).hasSize(2);
    assertThat(told.get(1)).startsWith("held");
  }

  @Test
  void hangingRedis_losesTheLeaseExactlyAtItsDeadline() {
    Lease lease = hold();
    lock.reply(Replies.HELD_BACK);

    clock.advance(seconds(28).minus(NANO));
    assertThat(told).isEmpty();
    assertThat(lease.remaining()).isEqualTo(NANO);
    clock.advance(NANO);

    assertThat(told).containsExactly("lost LEASE_EXPIRED");
    assertThat(lease.remaining()).isZero();
  }

  @Test
  void deadline_runsFromWhenTheRefreshWasSentNotFromItsReply() {
    Lease lease = hold();
    lock.reply(Replies.HELD_BACK);
    clock.advance(seconds(15));
    lock.deliver();

    assertThat(lease.remaining()).isEqualTo(seconds(23));
  }

  @Test
  void deadline_runsFromWhenTheAcquireWasSent() {
    long sentNanos = clock.ticker().getAsLong();
    clock.advance(seconds(2));

    assertThat(hold(sentNanos).remaining()).isEqualTo(seconds(26));
  }

  @Test
  void hold_afterTheDeadline_isLostAtOnce() {
    long sentNanos = clock.ticker().getAsLong();
    clock.advance(seconds(40));
    lock.reply(Replies.HELD_BACK);
    hold(sentNanos);
    clock.advance(Duration.ZERO);

    assertThat(told).containsExactly("lost LEASE_EXPIRED");
  }

  @Test
  void f5_repliesSlowerThanTheInterval_neitherPileUpNorLoseTheLease() {
    hold();
    lock.reply(Replies.HELD_BACK);
    for (int i = 0; i < 600; i++) {
      clock.advance(seconds(1));
      assertThat(lock.heldBack()).isLessThanOrEqualTo(1);
      if (i % 12 == 0) {
        lock.deliver();
      }
    }

    assertThat(told).isEmpty();
  }

  @Test
  void refresh_findingAnotherOwner_losesAtOnce() {
    Lease lease = hold();
    lock.expire(lease.key().identity());
    clock.advance(seconds(10));

    assertThat(told).containsExactly("lost NOT_OWNER");
    assertThat(lease.remaining()).isZero();
  }

  @Test
  void lost_isTheLastCallAndTheLeaseIsForgotten() {
    Lease lease = hold();
    lock.expire(lease.key().identity());
    clock.advance(seconds(10));
    int rounds = lock.refreshSizes().size();
    clock.advance(Duration.ofMinutes(5));

    assertThat(told).containsExactly("lost NOT_OWNER");
    assertThat(lock.refreshSizes()).hasSize(rounds);
  }

  @Test
  void replyAfterTheDeadline_changesNothing() {
    hold();
    lock.reply(Replies.HELD_BACK);
    clock.advance(seconds(28));
    lock.deliver();

    assertThat(told).containsExactly("lost LEASE_EXPIRED");
  }

  @Test
  void end_silencesTheLease() {
    Lease lease = hold();
    lock.reply(Replies.HELD_BACK);
    clock.advance(seconds(10));
    lease.end();
    lease.end();
    lock.expire(lease.key().identity());
    lock.deliver();
    clock.advance(Duration.ofMinutes(5));

    assertThat(told).isEmpty();
    assertThat(lock.refreshSizes()).hasSize(1);
  }

  @Test
  void end_insideAListenerCall_isTheLastWord() {
    List<Lease> leases = new ArrayList<>();
    leases.add(
        refresher.hold(
            key(),
            clock.ticker().getAsLong(),
            new Recorder() {
              @Override
              public void leaseSuspect(Duration remaining, String cause) {
                super.leaseSuspect(remaining, cause);
                leases.get(0).end();
              }
            }));
    lock.reply(Replies.LOST);
    clock.advance(Duration.ofMinutes(1));

    assertThat(told).hasSize(1);
  }

  @Test
  void listenerThatThrows_doesNotHarmOtherLeases() {
    refresher.hold(
        key(),
        clock.ticker().getAsLong(),
        new Recorder() {
          @Override
          public void leaseSuspect(Duration remaining, String cause) {
            throw new IllegalStateException("thrown by the test");
          }
        });
    hold();
    lock.reply(Replies.LOST);
    clock.advance(seconds(10));
    lock.reply(Replies.AT_ONCE);
    clock.advance(seconds(1));

    assertThat(told).hasSize(3).filteredOn(call -> call.startsWith("held")).hasSize(2);
  }

  @Test
  void refresh_thatThrows_isAFailureNotTheEnd() {
    hold();
    lock.reply(Replies.THROWN);
    clock.advance(seconds(10));
    lock.reply(Replies.AT_ONCE);
    clock.advance(seconds(1));

    assertThat(told).containsExactly("suspect PT18S thrown by the test", "held PT28S");
  }

  @Test
  void refresh_unansweredForOneLock_makesThatOneSuspectOnly() {
    hold();
    LockKey silent = key();
    lock.silence(silent.identity());
    refresher.hold(silent, clock.ticker().getAsLong(), new Recorder());
    clock.advance(seconds(27));
    assertThat(told).containsExactly("suspect PT18S Redis did not answer for this lock");
    clock.advance(seconds(20));

    assertThat(told).hasSize(2).last().isEqualTo("lost LEASE_EXPIRED");
  }

  @Test
  void tenThousandLeases_needTwoTimersAndGoInBatches() {
    for (int i = 0; i < 10_000; i++) {
      hold();
    }
    assertThat(clock.pendingTasks()).isEqualTo(2);

    clock.advance(seconds(10));

    assertThat(lock.refreshSizes()).hasSize(40).allMatch(size -> size <= 256);
    clock.advance(Duration.ofMinutes(2));
    assertThat(told).isEmpty();
    assertThat(clock.pendingTasks()).isEqualTo(2);

    lock.reply(Replies.HELD_BACK);
    clock.advance(seconds(30));
    assertThat(told).hasSize(10_000).containsOnly("lost LEASE_EXPIRED");
  }

  @Test
  void closed_refreshesAndTellsNoMore() {
    hold();
    refresher.close();
    clock.advance(Duration.ofMinutes(5));

    assertThat(lock.refreshSizes()).isEmpty();
    assertThat(told).isEmpty();
  }

  @Test
  void listenerCalls_ofOneLease_neverOverlap() throws InterruptedException {
    CountDownLatch suspectEntered = new CountDownLatch(1);
    CountDownLatch lostPassed = new CountDownLatch(1);
    List<String> order = new ArrayList<>();
    refresher.hold(
        key(),
        clock.ticker().getAsLong(),
        new Recorder() {
          @Override
          public void leaseSuspect(Duration remaining, String cause) {
            suspectEntered.countDown();
            awaitQuietly(lostPassed);
            order.add("suspect ends");
          }

          @Override
          public void leaseLost(LossCause cause) {
            order.add("lost");
          }
        });
    lock.reply(Replies.LOST);
    Thread teller = new Thread(() -> clock.advance(seconds(10)));
    teller.start();
    suspectEntered.await();

    clock.advance(seconds(28)); // The deadline timer fires while the other thread still tells.
    lostPassed.countDown();
    teller.join();

    assertThat(order).containsExactly("suspect ends", "lost");
  }

  private static void awaitQuietly(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static Duration seconds(long seconds) {
    return Duration.ofSeconds(seconds);
  }

  private LockKey key() {
    Identity identity =
        Identity.of(IdentityKind.AGENT, "acme", "builder", Integer.toString(identities++));
    LockKey key = new LockKey(identity, ConnectionId.random(RANDOM));
    lock.acquire(new AcquireRequest(identity, key.session(), "key-1", Optional.empty()));
    return key;
  }

  private Lease hold() {
    return hold(clock.ticker().getAsLong());
  }

  private Lease hold(long sentNanos) {
    return refresher.hold(key(), sentNanos, new Recorder());
  }

  private class Recorder implements LeaseListener {
    @Override
    public void leaseSuspect(Duration remaining, String cause) {
      told.add("suspect " + remaining + " " + cause);
    }

    @Override
    public void leaseHeld(Duration remaining) {
      told.add("held " + remaining);
    }

    @Override
    public void leaseLost(LossCause cause) {
      told.add("lost " + cause);
    }
  }
}
