// SPDX-License-Identifier: Apache-2.0

package io.forebay.wire.tcp;

import io.forebay.wire.message.Identity;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.Arrays;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/** Where connections come from, as far as they share a limit. */
final class Source {
  /** Programs of unknown users that dial a Unix socket: they have no address. */
  static final String UNIX = "";

  private static final String LOOPBACK = "loopback";

  /** The part of an IPv6 address that a network has: one machine may use all addresses in it. */
  private static final int NETWORK_BYTES = 8;

  private Source() {}

  /** A user of this machine, for messages too. */
  static String of(Identity user) {
    return "user " + Integer.toUnsignedString(user.user());
  }

  static String of(@Nullable SocketAddress remote) {
    if (!(remote instanceof InetSocketAddress inet)) return UNIX;
    InetAddress address = inet.getAddress();
    // A program may choose any of them, 127.0.0.1 to 127.255.255.254.
    if (address.isLoopbackAddress()) return LOOPBACK;
    if (!(address instanceof Inet6Address)) return address.getHostAddress();
    byte[] network = Arrays.copyOf(address.getAddress(), NETWORK_BYTES);
    return HexFormat.ofDelimiter(":").formatHex(network);
  }
}
