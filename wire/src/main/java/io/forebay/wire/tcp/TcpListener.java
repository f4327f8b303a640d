// SPDX-License-Identifier: Apache-2.0

package io.forebay.wire.tcp;

import io.forebay.wire.Address;
import io.forebay.wire.Handler;
import io.forebay.wire.Network;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.StandardProtocolFamily;
import java.net.StandardSocketOptions;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SelectionKey;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Accepts connections at one address. */
final class TcpListener implements Network.Listener, TcpLoop.Ready {
  private static final int BACKLOG = 1024;

  /** Connections taken in before others have their turn. */
  private static final int TURN_ACCEPTED_MAX = 64;

  private static final Logger LOG = LoggerFactory.getLogger(TcpListener.class);

  private final TcpLoop loop;

  /** Other users of the machine do not connect to the sockets of a server, whatever the umask. */
  private static final Set<PosixFilePermission> OWNER_ONLY =
      Set.of(PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE);

  private final ServerSocketChannel channel;
  private final Address address;
  private final Network.Door door;
  private final Handler handler;
  private final SelectionKey key;

  TcpListener(TcpLoop loop, Address at, Network.Door door, Handler handler) throws IOException {
    this.loop = loop;
    this.door = door;
    this.handler = handler;
    this.channel = bind(loop, at);
    this.address =
        at instanceof Address.Inet inet
            ? new Address.Inet(
                inet.host(), ((InetSocketAddress) channel.getLocalAddress()).getPort())
            : at;
    channel.configureBlocking(false);
    this.key = channel.register(loop.selector(), SelectionKey.OP_ACCEPT, this);
  }

  private static ServerSocketChannel bind(TcpLoop loop, Address at) throws IOException {
    SocketAddress socketAddress;
    ServerSocketChannel channel;
    if (at instanceof Address.Inet inet) {
      socketAddress = new InetSocketAddress(loop.boundAddress(inet.host()), inet.port());
      channel = ServerSocketChannel.open();
      channel.setOption(StandardSocketOptions.SO_REUSEADDR, true);
    } else {
      Path file = Path.of(((Address.Unix) at).path());
      removeStale(file);
      socketAddress = UnixDomainSocketAddress.of(file);
      channel = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
    }
    try {
      channel.bind(socketAddress, BACKLOG);
      if (socketAddress instanceof UnixDomainSocketAddress unix) {
        Files.setPosixFilePermissions(unix.getPath(), OWNER_ONLY);
      }
      return channel;
    } catch (IOException e) {
      channel.close();
      throw new IOException("cannot listen at " + at + ": " + e.getMessage(), e);
    }
  }

  /** Removes the socket file of a dead process; any other file stays, and listening fails. */
  private static void removeStale(Path file) throws IOException {
    if (!Files.exists(file, LinkOption.NOFOLLOW_LINKS)) return;
    boolean socket =
        Files.readAttributes(file, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS).isOther();
    if (!socket || isAnswered(file)) {
      throw new IOException(
          "cannot listen at unix:"
              + file
              + (socket ? ": a process listens there" : ": it is not a socket"));
    }
    Files.delete(file);
  }

  private static boolean isAnswered(Path file) {
    try (SocketChannel probe = SocketChannel.open(UnixDomainSocketAddress.of(file))) {
      return probe.isConnected();
    } catch (IOException e) {
      return false;
    }
  }

  @Override
  public Address address() {
    return address;
  }

  @Override
  public void ready(SelectionKey ready) {
    for (int i = 0; i < TURN_ACCEPTED_MAX && channel.isOpen(); i++) {
      SocketChannel accepted;
      try {
        accepted = channel.accept();
      } catch (IOException e) {
        // Out of file descriptors, most likely: new connections wait until some are free.
        String why = "accepting a connection at " + address + " failed: " + e.getMessage();
        loop.pace().log("accepting", () -> why + "; the listener tries again soon", LOG::warn);
        pause();
        return;
      }
      if (accepted == null) return;
      loop.accepted(accepted, address, door, handler);
    }
  }

  private void pause() {
    key.interestOps(0);
  }

  /** Takes in again after a pause. */
  void watch() {
    if (key.isValid() && key.interestOps() == 0) key.interestOps(SelectionKey.OP_ACCEPT);
  }

  @Override
  public void close() {
    if (!channel.isOpen()) return;
    try {
      channel.close();
      loop.closed(this);
      if (address instanceof Address.Unix unix) Files.deleteIfExists(Path.of(unix.path()));
    } catch (IOException e) {
      LOG.warn("closing {}", address, e);
    }
  }
}
