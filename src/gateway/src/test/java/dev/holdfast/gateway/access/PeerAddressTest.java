package dev.holdfast.gateway.access;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;

final class PeerAddressTest {
  private static final String V4 = "0a010203";
  private static final String V6 = "20010db8000100020000000000000001";
  private static final String V6_SAME_NETWORK = "20010db800010002ffff000000000002";
  private static final String V6_OTHER_NETWORK = "20010db8000100030000000000000001";

  @Test
  void shown_hasHostAndPort() throws Exception {
    assertThat(PeerAddress.shown(address(V4))).isEqualTo("10.1.2.3:80");
    assertThat(PeerAddress.shown(address(V6))).isEqualTo("[2001:db8:1:2:0:0:0:1]:80");
    assertThat(PeerAddress.shown(null)).isEqualTo("unknown");
  }

  @Test
  void grouped_v4_isTheAddressWithoutThePort() throws Exception {
    assertThat(PeerAddress.grouped(address(V4))).isEqualTo("10.1.2.3");
  }

  @Test
  void grouped_v6_isTheNetwork() throws Exception {
    assertThat(PeerAddress.grouped(address(V6)))
        .isEqualTo(PeerAddress.grouped(address(V6_SAME_NETWORK)))
        .isNotEqualTo(PeerAddress.grouped(address(V6_OTHER_NETWORK)));
  }

  private static InetSocketAddress address(String hex) throws UnknownHostException {
    return new InetSocketAddress(InetAddress.getByAddress(HexFormat.of().parseHex(hex)), 80);
  }
}
