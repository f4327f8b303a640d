// SPDX-License-Identifier: Apache-2.0

package io.forebay.wire.tls;

import io.forebay.base.Bytes;
import io.forebay.wire.proof.PeerCertificate;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.function.BooleanSupplier;

/** A link without encryption: it keeps nothing. */
public final class PlainLink implements Link {
  private final SocketChannel socket;

  public PlainLink(SocketChannel socket) {
    this.socket = socket;
  }

  @Override
  public Progress establish(BooleanSupplier mayCompute) {
    return Progress.DONE;
  }

  @Override
  public int read(ByteBuffer into) throws IOException {
    return socket.read(into);
  }

  @Override
  public long read(ByteBuffer[] into) throws IOException {
    return socket.read(into);
  }

  @Override
  public long read(ByteBuffer[] into, int offset, int length) throws IOException {
    return socket.read(into, offset, length);
  }

  @Override
  public int write(ByteBuffer from) throws IOException {
    return socket.write(from);
  }

  @Override
  public long write(ByteBuffer[] from) throws IOException {
    return socket.write(from);
  }

  @Override
  public long write(ByteBuffer[] from, int offset, int length) throws IOException {
    return socket.write(from, offset, length);
  }

  @Override
  public boolean hasInput() {
    return false;
  }

  @Override
  public boolean isPartial() {
    return false;
  }

  @Override
  public boolean hasOutput() {
    return false;
  }

  @Override
  public void flush() {
    // It keeps no bytes.
  }

  @Override
  public void rest() {
    // It borrows no buffers.
  }

  @Override
  public void sayGoodbye() {
    // The end of the stream says it.
  }

  @Override
  public PeerCertificate peer() {
    return PeerCertificate.NONE;
  }

  @Override
  public Bytes channelBinding() {
    return Bytes.EMPTY;
  }

  @Override
  public boolean isOpen() {
    return socket.isOpen();
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
