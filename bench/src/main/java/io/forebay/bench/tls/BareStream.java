// SPDX-License-Identifier: Apache-2.0

package io.forebay.bench.tls;

import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;

/** Bytes through a socket of Java between two blocking threads, and nothing else. */
interface BareStream extends Closeable {
  /** How they pass. */
  enum Kind {
    PLAIN,
    ENGINE_HEAP,
    ENGINE_DIRECT,
    SSL_SOCKET;

    BareStream dial(SSLContext context, int port) throws IOException {
      InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
      if (this == SSL_SOCKET) {
        SSLSocket socket = (SSLSocket) context.getSocketFactory().createSocket();
        socket.setSendBufferSize(SEND_BUFFER_BYTES);
        socket.connect(address);
        return new SocketStream(prepared(socket));
      }
      SocketChannel channel = SocketChannel.open();
      channel.setOption(StandardSocketOptions.SO_SNDBUF, SEND_BUFFER_BYTES);
      channel.connect(address);
      return over(channel, context, true);
    }

    /** Takes the next connection of a listener. */
    BareStream accept(ServerSocketChannel listener, SSLContext context) throws IOException {
      if (this == SSL_SOCKET) {
        // A listening socket of the context cannot be made from a channel, so TLS is put on top.
        Socket accepted = listener.socket().accept();
        accepted.setSendBufferSize(SEND_BUFFER_BYTES);
        SSLSocket socket =
            (SSLSocket) context.getSocketFactory().createSocket(accepted, null, true);
        socket.setUseClientMode(false);
        return new SocketStream(prepared(socket));
      }
      return over(listener.accept(), context, false);
    }

    private BareStream over(SocketChannel channel, SSLContext context, boolean dials)
        throws IOException {
      channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
      if (!dials) channel.setOption(StandardSocketOptions.SO_SNDBUF, SEND_BUFFER_BYTES);
      if (this == PLAIN) return new PlainStream(channel);
      SSLEngine engine = context.createSSLEngine();
      engine.setUseClientMode(dials);
      engine.setSSLParameters(parameters());
      return new EngineStream(channel, engine, this == ENGINE_DIRECT);
    }

    private static SSLSocket prepared(SSLSocket socket) throws IOException {
      socket.setTcpNoDelay(true);
      socket.setSSLParameters(parameters());
      socket.startHandshake();
      return socket;
    }

    /** The version and the cipher of Forebay's own connections. */
    private static SSLParameters parameters() {
      return new SSLParameters(new String[] {"TLS_AES_256_GCM_SHA384"}, new String[] {"TLSv1.3"});
    }
  }

  /** The send buffer of the ring's own connections on one machine. */
  int SEND_BUFFER_BYTES = 512 * 1024;

  /** Sends all of it. */
  void write(ByteBuffer bytes) throws IOException;

  /** Fills it. */
  void read(ByteBuffer bytes) throws IOException;

  /** A socket without TLS. */
  record PlainStream(SocketChannel channel) implements BareStream {
    @Override
    public void write(ByteBuffer bytes) throws IOException {
      while (bytes.hasRemaining()) channel.write(bytes);
    }

    @Override
    public void read(ByteBuffer bytes) throws IOException {
      while (bytes.hasRemaining()) {
        if (channel.read(bytes) < 0) throw new EOFException("the other end is gone");
      }
    }

    @Override
    public void close() throws IOException {
      channel.close();
    }
  }
}
