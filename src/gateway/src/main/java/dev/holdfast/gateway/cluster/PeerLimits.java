package dev.holdfast.gateway.cluster;

/**
 * What may pile up for one destination.
 *
 * @param frames how many frames may wait, and how many requests may be unanswered
 * @param bytes how many bytes may wait; one frame always fits into an empty lane
 * @param batchFrames how many frames go in one batch
 * @param batchBytes how many bytes go in one batch, unless a single frame is larger
 */
record PeerLimits(int frames, long bytes, int batchFrames, long batchBytes) {
  /** Far below the output buffer at which Redis drops a slow subscriber: 32 MiB. */
  static final PeerLimits DEFAULT = new PeerLimits(8192, 16L << 20, 512, 1L << 20);
}
