// SPDX-License-Identifier: Apache-2.0

package io.forebay.bench.tls;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult.Status;

/** TLS by the JDK's engine over a blocking channel: many records for each call of the kernel. */
final class EngineStream implements BareStream {
  private static final int RECORDS_PER_CALL = 16;
  private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

  private final SocketChannel channel;
  private final SSLEngine engine;
  private final int recordBytes;

  /** Encrypted bytes between position and limit. */
  private final ByteBuffer arrived;

  /** Encrypted bytes before the position. */
  private final ByteBuffer leaving;

  /** Decrypted bytes between position and limit that had no room in the reader's buffer. */
  private final ByteBuffer surplus;

  private final ByteBuffer[] targets = new ByteBuffer[2];

  EngineStream(SocketChannel channel, SSLEngine engine, boolean direct) throws IOException {
    this.channel = channel;
    this.engine = engine;
    this.recordBytes = engine.getSession().getPacketBufferSize();
    this.arrived = buffer(RECORDS_PER_CALL * recordBytes, direct).limit(0);
    this.leaving = buffer(RECORDS_PER_CALL * recordBytes, direct);
    this.surplus = buffer(recordBytes, direct).limit(0);
    engine.beginHandshake();
    establish();
  }

  private static ByteBuffer buffer(int bytes, boolean direct) {
    return direct ? ByteBuffer.allocateDirect(bytes) : ByteBuffer.allocate(bytes);
  }

  private void establish() throws IOException {
    while (true) {
      switch (engine.getHandshakeStatus()) {
        case NEED_TASK -> engine.getDelegatedTask().run();
        case NEED_WRAP -> {
          engine.wrap(NOTHING, leaving);
          send();
        }
        case NEED_UNWRAP, NEED_UNWRAP_AGAIN -> {
          if (engine.unwrap(arrived, NOTHING).getStatus() == Status.BUFFER_UNDERFLOW) receive();
        }
        case FINISHED, NOT_HANDSHAKING -> {
          return;
        }
      }
    }
  }

  @Override
  public void write(ByteBuffer bytes) throws IOException {
    while (bytes.hasRemaining()) {
      while (bytes.hasRemaining() && leaving.remaining() >= recordBytes) {
        engine.wrap(bytes, leaving);
      }
      send();
    }
  }

  private void send() throws IOException {
    leaving.flip();
    while (leaving.hasRemaining()) channel.write(leaving);
    leaving.clear();
  }

  @Override
  public void read(ByteBuffer bytes) throws IOException {
    take(bytes);
    while (bytes.hasRemaining()) {
      targets[0] = bytes;
      targets[1] = surplus.clear();
      Status status = engine.unwrap(arrived, targets).getStatus();
      surplus.flip();
      if (status == Status.BUFFER_UNDERFLOW) receive();
      else if (status != Status.OK) throw new EOFException("the other end is gone: " + status);
    }
  }

  private void take(ByteBuffer bytes) {
    int count = Math.min(bytes.remaining(), surplus.remaining());
    bytes.put(bytes.position(), surplus, surplus.position(), count);
    bytes.position(bytes.position() + count);
    surplus.position(surplus.position() + count);
  }

  private void receive() throws IOException {
    arrived.compact();
    int count = channel.read(arrived);
    arrived.flip();
    if (count < 0) throw new EOFException("the other end is gone");
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
