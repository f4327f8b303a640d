// SPDX-License-Identifier: Apache-2.0

package io.forebay.server.peer;

import java.net.InetSocketAddress;
import java.util.OptionalInt;

/** Finds the owner of a TCP socket of this machine. */
@FunctionalInterface
interface SocketOwner {
  /**
   * The user of the process that has an established socket with these ends.
   *
   * @param own where the socket itself is bound
   * @param other where it is connected to
   * @return nothing if there is no such socket, or its process has closed it
   */
  OptionalInt userOf(InetSocketAddress own, InetSocketAddress other);
}
