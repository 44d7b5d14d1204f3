package dev.holdfast.bench;

import org.HdrHistogram.Histogram;

/**
 * What one run of one side came to.
 *
 * @param value the compared figure, in the comparison's unit
 * @param latencies every single latency of the run, in microseconds
 */
record Score(double value, Histogram latencies) {}
