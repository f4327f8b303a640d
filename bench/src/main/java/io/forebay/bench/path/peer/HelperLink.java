// SPDX-License-Identifier: Apache-2.0

package io.forebay.bench.path.peer;

import io.forebay.wire.Address;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.List;

/** One connection to a helper, for one measurement. One thread. */
public final class HelperLink implements AutoCloseable {
  private final SocketChannel socket;
  private final HelperRequest request;
  private final int loopPort;

  private HelperLink(SocketChannel socket, HelperRequest request, int loopPort) {
    this.socket = socket;
    this.request = request;
    this.loopPort = loopPort;
  }

  /** A connection over which the helper takes that many pieces. */
  public static HelperLink taking(Address helper, int pieceBytes, long count) throws IOException {
    return open(helper, new HelperRequest(HelperRequest.Kind.TAKE, pieceBytes, count));
  }

  /** A connection over which the helper gives that many pieces. */
  public static HelperLink giving(Address helper, int pieceBytes, long count) throws IOException {
    return open(helper, new HelperRequest(HelperRequest.Kind.GIVE, pieceBytes, count));
  }

  /** Where the helper's server without storage listens. */
  public static Address nullServerOf(Address helper) throws IOException {
    try (HelperLink link = open(helper, HelperRequest.greet())) {
      return switch (helper) {
        case Address.Inet inet -> new Address.Inet(inet.host(), link.loopPort);
        case Address.Unix unix -> PathHelper.loopOf(unix);
      };
    }
  }

  private static HelperLink open(Address helper, HelperRequest request) throws IOException {
    SocketChannel socket =
        helper instanceof Address.Unix
            ? SocketChannel.open(StandardProtocolFamily.UNIX)
            : SocketChannel.open();
    try {
      PathHelper.prepare(socket, helper);
      socket.connect(PathHelper.socketAddress(helper));
      request.write(socket);
      ByteBuffer answer = ByteBuffer.allocate(HelperRequest.ANSWER_BYTES);
      HelperRequest.readFully(socket, answer);
      return new HelperLink(socket, request, answer.flip().getInt());
    } catch (IOException e) {
      socket.close();
      throw new IOException(
          "the helper at %s does not answer (%s); start one there with 'forebay bench path-helper'"
              .formatted(helper, e.getMessage()),
          e);
    }
  }

  /** Sends all pieces, each by a call of its own; ends when the helper has the last. */
  public void send(ByteBuffer piece) throws IOException {
    for (long i = 0; i < request.count(); i++) HelperRequest.writeFully(socket, piece.duplicate());
    awaitTaken();
  }

  /** Sends one piece. */
  public void sendOne(ByteBuffer piece) throws IOException {
    HelperRequest.writeFully(socket, piece.duplicate());
  }

  /** Waits until the helper has all pieces. */
  public void awaitTaken() throws IOException {
    HelperRequest.readFully(socket, ByteBuffer.allocate(1));
  }

  /** Receives all pieces. */
  public void receive(ByteBuffer into) throws IOException {
    HelperRequest.writeFully(socket, ByteBuffer.allocate(1));
    for (long left = bytes(); left > 0; ) {
      int read = socket.read(into.clear().limit((int) Math.min(into.capacity(), left)));
      if (read < 0) throw new IOException("the other end is gone");
      left -= read;
    }
  }

  /** Receives all pieces of all links by one thread, as a server does with its clients. */
  public static void receiveAll(List<HelperLink> links, ByteBuffer into) throws IOException {
    try (Selector selector = Selector.open()) {
      for (HelperLink link : links) {
        HelperRequest.writeFully(link.socket, ByteBuffer.allocate(1));
        link.socket.configureBlocking(false);
        link.socket.register(selector, SelectionKey.OP_READ);
      }
      long left = links.stream().mapToLong(HelperLink::bytes).sum();
      int ended = 0;
      while (left > 0) {
        if (ended == links.size()) throw new IOException("the helpers are gone");
        selector.select();
        for (SelectionKey key : selector.selectedKeys()) {
          int read = ((SocketChannel) key.channel()).read(into.clear());
          if (read >= 0) {
            left -= read;
          } else {
            key.cancel();
            ended++;
          }
        }
        selector.selectedKeys().clear();
      }
    }
  }

  private long bytes() {
    return request.count() * request.pieceBytes();
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
