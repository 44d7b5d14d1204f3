package dev.holdfast.client;

import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;

/**
 * What all connections of one client share.
 *
 * @param executor runs listeners, completions and file access; never on the calling thread
 * @param timers fires time-outs and retries; its tasks don't block
 * @param nanoTime the monotonic clock
 * @param random draws the jitter
 * @param backoff how long retries wait
 * @param silenceLimit how long a dead transport can go unnoticed
 */
record ClientRuntime(
    Executor executor,
    ScheduledExecutorService timers,
    LongSupplier nanoTime,
    RandomGenerator random,
    Backoff backoff,
    Duration silenceLimit) {}
