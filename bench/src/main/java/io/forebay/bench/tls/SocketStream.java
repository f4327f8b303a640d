// SPDX-License-Identifier: Apache-2.0

package io.forebay.bench.tls;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import javax.net.ssl.SSLSocket;

/** TLS by the JDK's own socket, with arrays on the heap at both ends, as its streams want them. */
final class SocketStream implements BareStream {
  private final SSLSocket socket;
  private final InputStream in;
  private final OutputStream out;
  private byte[] array = {};

  SocketStream(SSLSocket socket) throws IOException {
    this.socket = socket;
    this.in = socket.getInputStream();
    this.out = socket.getOutputStream();
  }

  @Override
  public void write(ByteBuffer bytes) throws IOException {
    int count = bytes.remaining();
    byte[] from = array(count);
    bytes.get(from, 0, count);
    out.write(from, 0, count);
  }

  @Override
  public void read(ByteBuffer bytes) throws IOException {
    int count = bytes.remaining();
    byte[] into = array(count);
    if (in.readNBytes(into, 0, count) < count) throw new EOFException("the other end is gone");
    bytes.put(into, 0, count);
  }

  private byte[] array(int bytes) {
    if (array.length < bytes) array = new byte[bytes];
    return array;
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
