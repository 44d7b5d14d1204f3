package dev.holdfast.gateway.lock;

import dev.holdfast.gateway.error.GatewayError;
import dev.holdfast.gateway.error.GatewayException;
import dev.holdfast.gateway.redis.RedisConnection;
import dev.holdfast.gateway.redis.RedisScript;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.redisson.connection.CRC16;

/**
 * One Lua script, applied to many items at once.
 *
 * <p>On a single server or Sentinel a batch is one script call. On a Cluster it is one call for
 * each hash slot, all sent without waiting, and each fails by itself.
 */
final class LockScript<I, O> {
  private static final int CLUSTER_SLOTS = 16_384;

  /** How items are written for the script, and replies read. */
  interface Form<I, O> {
    /** Returns the item's keys, all of one hash tag. */
    List<String> keys(I item);

    /** Returns the item's arguments. */
    List<String> arguments(I item);

    /** Returns how many elements of the reply belong to one item. */
    int replyWidth();

    /** Reads the item's part of the reply. */
    O read(I item, List<Object> reply);
  }

  private final RedisConnection redis;
  private final RedisScript script;
  private final List<String> head;
  private final Form<I, O> form;

  /**
   * Makes a script.
   *
   * @param head the arguments that stand before those of the items
   */
  LockScript(RedisConnection redis, RedisScript script, List<String> head, Form<I, O> form) {
    this.redis = redis;
    this.script = script;
    this.head = head;
    this.form = form;
  }

  /** Runs the script and keeps every promise; the stage completes normally after the last one. */
  CompletionStage<Void> send(List<Pending<I, O>> batch, long deadlineNanos) {
    List<CompletionStage<Void>> sent = new ArrayList<>();
    for (List<Pending<I, O>> group : groups(batch)) {
      sent.add(sendGroup(group, deadlineNanos));
    }
    return CompletableFuture.allOf(
        sent.stream().map(CompletionStage::toCompletableFuture).toArray(CompletableFuture[]::new));
  }

  private Collection<List<Pending<I, O>>> groups(List<Pending<I, O>> batch) {
    if (!redis.cluster()) {
      return List.of(batch);
    }
    Map<Integer, List<Pending<I, O>>> bySlot =
        batch.stream().collect(Collectors.groupingBy(p -> slot(form.keys(p.item()).get(0))));
    return bySlot.values();
  }

  private static int slot(String key) {
    String tag = key.substring(key.indexOf('{') + 1, key.indexOf('}'));
    return CRC16.crc16(tag.getBytes(StandardCharsets.UTF_8)) % CLUSTER_SLOTS;
  }

  private CompletionStage<Void> sendGroup(List<Pending<I, O>> group, long deadlineNanos) {
    List<Object> keys = new ArrayList<>();
    List<Object> arguments = new ArrayList<>(head);
    for (Pending<I, O> pending : group) {
      keys.addAll(form.keys(pending.item()));
      arguments.addAll(form.arguments(pending.item()));
    }
    return redis
        .run(script, keys, arguments, deadlineNanos)
        .handle(
            (reply, failure) -> {
              keep(group, reply, failure);
              return null;
            });
  }

  private void keep(
      List<Pending<I, O>> group, @Nullable List<Object> reply, @Nullable Throwable failure) {
    for (int i = 0; i < group.size(); i++) {
      if (reply == null) {
        group.get(i).promise().completeExceptionally(unwrap(failure));
      } else {
        keep(group.get(i), reply, i * form.replyWidth());
      }
    }
  }

  private void keep(Pending<I, O> pending, List<Object> reply, int from) {
    try {
      List<Object> part = reply.subList(from, from + form.replyWidth());
      pending.promise().complete(form.read(pending.item(), part));
    } catch (RuntimeException e) { // Whatever stands in Redis, every promise is kept.
      String message = "Redis holds a lock that this gateway cannot read: " + e.getMessage();
      pending.promise().completeExceptionally(new GatewayException(GatewayError.INTERNAL, message));
    }
  }

  private static Throwable unwrap(@Nullable Throwable failure) {
    if (failure instanceof CompletionException && failure.getCause() != null) {
      return failure.getCause();
    }
    return failure == null ? new IllegalStateException("a reply without a value") : failure;
  }
}
