// SPDX-License-Identifier: Apache-2.0

package io.forebay.server.peer;

import io.forebay.wire.message.Identity;
import io.forebay.wire.tcp.PeerUsers;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.file.FileSystems;
import java.nio.file.attribute.UserPrincipal;
import java.nio.file.attribute.UserPrincipalLookupService;
import java.util.List;
import java.util.OptionalInt;
import jdk.net.ExtendedSocketOptions;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The users at the other ends of sockets, by the kernel:
 *
 * <ol>
 *   <li>On a Unix socket the kernel keeps the credentials of the process that dialled or listens.
 *       The JDK does not tell their numbers, so only root and the process's own user are
 *       recognized: directories of servers admit no others.
 *   <li>The other end of a TCP connection over an address of this machine is one of its sockets,
 *       whose owner the kernel tells.
 * </ol>
 *
 * Any thread.
 */
public final class KernelPeerUsers implements PeerUsers {
  private static final Logger LOG = LoggerFactory.getLogger(KernelPeerUsers.class);

  private final SocketOwner owners;
  private final List<Integer> recognized;
  private final UserPrincipalLookupService principals =
      FileSystems.getDefault().getUserPrincipalLookupService();

  private KernelPeerUsers(SocketOwner owners, List<Integer> recognized) {
    this.owners = owners;
    this.recognized = recognized;
  }

  /**
   * Of this machine.
   *
   * @param ownUser the user of this process
   */
  public static KernelPeerUsers of(int ownUser) {
    SocketDiagnosis diagnosis = SocketDiagnosis.find();
    return new KernelPeerUsers(
        diagnosis != null ? diagnosis : new SocketTable(), List.of(Identity.ROOT, ownUser));
  }

  @Override
  public @Nullable Identity of(SocketChannel socket) {
    try {
      if (socket.getLocalAddress() instanceof UnixDomainSocketAddress) return atUnixSocket(socket);
      if (!(socket.getLocalAddress() instanceof InetSocketAddress here)
          || !(socket.getRemoteAddress() instanceof InetSocketAddress there)
          || !isThisMachine(here, there)) return null;
      OptionalInt user = owners.userOf(there, here);
      return user.isPresent() ? identity(user.getAsInt()) : null;
    } catch (IOException e) {
      LOG.debug("the user at the other end of {} is unknown", socket, e);
      return null;
    }
  }

  /** Without other groups: a manager looks these up, and seats need none. */
  private static Identity identity(int user) {
    return new Identity(user, List.of(user));
  }

  /** Whether both ends are here: on a loopback address, or on the same address of this machine. */
  private static boolean isThisMachine(InetSocketAddress here, InetSocketAddress there) {
    return there.getAddress().isLoopbackAddress() || there.getAddress().equals(here.getAddress());
  }

  private @Nullable Identity atUnixSocket(SocketChannel socket) throws IOException {
    UserPrincipal peer = socket.getOption(ExtendedSocketOptions.SO_PEERCRED).user();
    for (int user : recognized) {
      if (peer.equals(principals.lookupPrincipalByName(Integer.toUnsignedString(user)))) {
        return identity(user);
      }
    }
    return null;
  }
}
