// SPDX-License-Identifier: Apache-2.0

package io.forebay.wire.tcp;

import io.forebay.wire.message.Handshake;
import io.forebay.wire.message.Identity;
import io.forebay.wire.proof.PeerProof;
import io.forebay.wire.proof.Trust;
import io.forebay.wire.tls.Link;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import org.jspecify.annotations.Nullable;

/** The socket of a connection, what passes through it, and what the selector watches it for. */
final class Line {
  private final @Nullable SocketChannel socket;
  private final @Nullable Link link;
  private final String remote;
  private final @Nullable FirstBytes first;
  private @Nullable SelectionKey key;
  private @Nullable PeerProof proof;
  private boolean ofCluster;

  /**
   * A line of a socket.
   *
   * @param first what bounds the bytes before the welcome, if the link passes through it
   */
  Line(SocketChannel socket, Link link, String remote, @Nullable FirstBytes first) {
    this.socket = socket;
    this.link = link;
    this.remote = remote;
    this.first = first;
  }

  /** Of a machine that had no socket to give: the connection is closed from the start. */
  Line(String remote) {
    this.socket = null;
    this.link = null;
    this.remote = remote;
    this.first = null;
  }

  boolean hasSocket() {
    return socket != null;
  }

  SocketChannel socket() {
    if (socket == null) throw new IllegalStateException("no socket");
    return socket;
  }

  Link link() {
    if (link == null) throw new IllegalStateException("no socket");
    return link;
  }

  /** What the peer has proved; asked for when the connection is open. */
  PeerProof proof(PeerUsers users) {
    if (proof == null) proof = new PeerProof(link().peer(), users.of(socket()));
    return proof;
  }

  /** The peer has said what it is; beyond that of a client, it counts as far as it is proved. */
  void introduced(Handshake.Hello said, Trust trust, PeerUsers users) {
    PeerProof proved = proof(users);
    ofCluster = said.role() != Handshake.Role.CLIENT && trust.principalOf(proved).isTrusted();
  }

  /** Whether the peer is a seat or a manager, and has proved it. */
  boolean isOfCluster() {
    return ofCluster;
  }

  /** The user of this machine that has the other end; null if it is not known. */
  @Nullable Identity user() {
    return proof == null ? null : proof.local();
  }

  /** The peer is welcome. */
  void opened() {
    if (first != null) first.welcome();
  }

  /** The peer's address. */
  String remote() {
    return remote;
  }

  /** Begins to connect; returns whether it is connected already. */
  boolean dial(SocketAddress to, Selector selector, TcpLoop.Ready owner) throws IOException {
    if (to instanceof InetSocketAddress inet && inet.getAddress().isLoopbackAddress()) {
      TcpLoop.shortenBuffer(socket());
    }
    boolean connected = socket().connect(to);
    register(selector, connected ? SelectionKey.OP_READ : SelectionKey.OP_CONNECT, owner);
    return connected;
  }

  void register(Selector selector, int interest, TcpLoop.Ready owner) throws IOException {
    key = socket().register(selector, interest, owner);
  }

  /** Changes what the selector watches for. */
  void interest(int interest) {
    if (key == null || !key.isValid()) return;
    if (key.interestOps() != interest) key.interestOps(interest);
  }
}
