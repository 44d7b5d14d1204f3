package dev.holdfast.bench;

import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.netty.NettyChannelBuilder;
import java.nio.charset.StandardCharsets;

/** Holds one call of {@link ProbeService} open until it is killed: {@code ADDRESS ID}. */
final class ProbeClient {
  private ProbeClient() {}

  /** Opens the call and waits for the end of the measuring process. */
  public static void main(String[] args) throws InterruptedException {
    Reporter.connect();
    ManagedChannel channel = channel(args[0]);
    watch(channel, args[1]);
    Thread.currentThread().join();
  }

  /** A plaintext channel of its own to {@code address}. */
  static ManagedChannel channel(String address) {
    return NettyChannelBuilder.forTarget(address).usePlaintext().build();
  }

  /** Opens a call named {@code id}. */
  static ClientCall<byte[], byte[]> watch(Channel channel, String id) {
    ClientCall<byte[], byte[]> call = channel.newCall(ProbeService.WATCH, CallOptions.DEFAULT);
    call.start(new ClientCall.Listener<>() {}, new Metadata());
    call.request(2);
    call.sendMessage(id.getBytes(StandardCharsets.UTF_8));
    return call;
  }
}
