// SPDX-License-Identifier: Apache-2.0

package io.forebay.bench.path.peer;

import io.forebay.wire.Address;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.StandardProtocolFamily;
import java.net.StandardSocketOptions;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/**
 * Takes and gives bytes over bare sockets, with a thread for each connection, and has a {@link
 * NullServer} beside them. It keeps nothing and reads no files; it believes every program that
 * reaches it, so it should run for the time of a measurement only.
 */
public final class PathHelper implements AutoCloseable {
  /** More connections at a time are closed at once. */
  public static final int CONNECTIONS_MAX = 128;

  private static final int READ_BYTES_MIN = 64 << 10;

  /** The send buffer of Unix sockets between processes of a ring. */
  private static final int UNIX_SEND_BYTES = 512 << 10;

  private final ServerSocketChannel listener;
  private final Address address;
  private final NullServer nullServer;
  private final Consumer<String> problems;
  private final Set<SocketChannel> open = ConcurrentHashMap.newKeySet();

  private PathHelper(
      ServerSocketChannel listener,
      Address address,
      NullServer nullServer,
      Consumer<String> problems) {
    this.listener = listener;
    this.address = address;
    this.nullServer = nullServer;
    this.problems = problems;
  }

  /**
   * Starts one.
   *
   * @param problems gets a sentence about each connection that failed
   */
  public static PathHelper listen(Address at, Consumer<String> problems) throws IOException {
    ServerSocketChannel listener = bound(at);
    try {
      Address bound = boundAddress(at, listener);
      NullServer nullServer = NullServer.listen(besideOf(bound));
      PathHelper helper = new PathHelper(listener, bound, nullServer, problems);
      Thread.ofPlatform().daemon().name("path-helper").start(helper::accept);
      return helper;
    } catch (IOException | RuntimeException e) {
      listener.close();
      throw e;
    }
  }

  private static ServerSocketChannel bound(Address at) throws IOException {
    ServerSocketChannel listener =
        at instanceof Address.Unix
            ? ServerSocketChannel.open(StandardProtocolFamily.UNIX)
            : ServerSocketChannel.open();
    try {
      return listener.bind(socketAddress(at));
    } catch (IOException e) {
      listener.close();
      throw new IOException(at + " cannot be used: " + e.getMessage(), e);
    }
  }

  private static Address boundAddress(Address asked, ServerSocketChannel listener)
      throws IOException {
    if (!(asked instanceof Address.Inet inet)) return asked;
    return new Address.Inet(
        inet.host(), ((InetSocketAddress) listener.getLocalAddress()).getPort());
  }

  /** Where the loop listens: any free port, or a socket with a longer name. */
  private static Address besideOf(Address bound) {
    return switch (bound) {
      case Address.Inet inet -> new Address.Inet(inet.host(), 0);
      case Address.Unix unix -> loopOf(unix);
    };
  }

  static Address.Unix loopOf(Address.Unix unix) {
    return new Address.Unix(unix.path() + ".loop");
  }

  static SocketAddress socketAddress(Address address) {
    return switch (address) {
      case Address.Inet inet -> new InetSocketAddress(inet.host(), inet.port());
      case Address.Unix unix -> UnixDomainSocketAddress.of(unix.path());
    };
  }

  static void prepare(SocketChannel socket, Address address) throws IOException {
    if (address instanceof Address.Unix) {
      socket.setOption(StandardSocketOptions.SO_SNDBUF, UNIX_SEND_BYTES);
    } else {
      socket.setOption(StandardSocketOptions.TCP_NODELAY, true);
    }
  }

  public Address address() {
    return address;
  }

  private void accept() {
    while (listener.isOpen()) {
      try {
        SocketChannel socket = listener.accept();
        if (open.size() >= CONNECTIONS_MAX) {
          socket.close();
          problems.accept("a connection was refused: " + CONNECTIONS_MAX + " are open");
          continue;
        }
        open.add(socket);
        Thread.ofPlatform().daemon().name("path-helper-link").start(() -> serve(socket));
      } catch (IOException e) {
        if (listener.isOpen()) problems.accept("no connection can be taken: " + e.getMessage());
        return;
      }
    }
  }

  private void serve(SocketChannel socket) {
    try (socket) {
      prepare(socket, address);
      HelperRequest request = HelperRequest.read(socket);
      int port = nullServer.address() instanceof Address.Inet inet ? inet.port() : 0;
      HelperRequest.writeFully(
          socket, ByteBuffer.allocate(HelperRequest.ANSWER_BYTES).putInt(port).flip());
      switch (request.kind()) {
        case TAKE -> take(socket, request);
        case GIVE -> give(socket, request);
        case GREET -> {}
      }
    } catch (IOException e) {
      if (listener.isOpen()) problems.accept("a connection failed: " + e.getMessage());
    } finally {
      open.remove(socket);
    }
  }

  private static void take(SocketChannel socket, HelperRequest request) throws IOException {
    ByteBuffer into = ByteBuffer.allocateDirect(Math.max(READ_BYTES_MIN, request.pieceBytes()));
    for (long left = request.count() * request.pieceBytes(); left > 0; ) {
      int read = socket.read(into.clear().limit((int) Math.min(into.capacity(), left)));
      if (read < 0) throw new IOException("the other end is gone");
      left -= read;
    }
    HelperRequest.writeFully(socket, ByteBuffer.allocate(1));
  }

  private static void give(SocketChannel socket, HelperRequest request) throws IOException {
    ByteBuffer piece = ByteBuffer.allocateDirect(request.pieceBytes());
    HelperRequest.readFully(socket, ByteBuffer.allocate(1));
    for (long i = 0; i < request.count(); i++) HelperRequest.writeFully(socket, piece.clear());
  }

  @Override
  public void close() throws IOException {
    listener.close();
    nullServer.close();
    for (SocketChannel socket : open) socket.close();
    if (address instanceof Address.Unix unix) {
      Files.deleteIfExists(Path.of(unix.path()));
      Files.deleteIfExists(Path.of(loopOf(unix).path()));
    }
  }
}
