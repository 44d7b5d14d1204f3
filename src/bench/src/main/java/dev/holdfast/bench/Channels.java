package dev.holdfast.bench;

import io.grpc.ManagedChannel;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** A few channels to one target, closed together. */
final class Channels implements AutoCloseable {
  private final List<ManagedChannel> channels;

  Channels(Target target, int count) {
    channels = Stream.generate(target::channel).limit(count).toList();
  }

  /** The channel for the {@code index}th call, round robin. */
  ManagedChannel get(int index) {
    return channels.get(index % channels.size());
  }

  @Override
  public void close() {
    channels.forEach(ManagedChannel::shutdownNow);
    try {
      for (ManagedChannel channel : channels) {
        channel.awaitTermination(10, TimeUnit.SECONDS);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
