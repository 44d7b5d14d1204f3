package dev.holdfast.gateway.access;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.Arrays;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/** How the address of a client is written. */
final class PeerAddress {
  private static final String UNKNOWN = "unknown";
  private static final int NETWORK_BYTES = 8;

  private PeerAddress() {}

  /** Returns address and port, for logs and listings. */
  static String shown(@Nullable SocketAddress address) {
    if (address instanceof InetSocketAddress inet && inet.getAddress() != null) {
      String host = inet.getAddress().getHostAddress();
      boolean v6 = inet.getAddress() instanceof Inet6Address;
      return (v6 ? "[" + host + "]" : host) + ":" + inet.getPort();
    }
    return address == null ? UNKNOWN : address.toString();
  }

  /**
   * Returns what stands for all that one client can easily connect from: an IPv4 address, or the
   * first 64 bits of an IPv6 address, the rest of which its owner chooses.
   */
  static String grouped(@Nullable SocketAddress address) {
    if (!(address instanceof InetSocketAddress inet) || inet.getAddress() == null) {
      return UNKNOWN;
    }
    InetAddress ip = inet.getAddress();
    if (ip instanceof Inet6Address) {
      byte[] network = Arrays.copyOf(ip.getAddress(), NETWORK_BYTES);
      return HexFormat.ofDelimiter(":").formatHex(network) + "::/64";
    }
    return ip.getHostAddress();
  }
}
