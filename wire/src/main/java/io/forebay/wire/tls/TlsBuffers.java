// SPDX-License-Identifier: Apache-2.0

package io.forebay.wire.tls;

import io.forebay.wire.buffer.BufferPool;
import java.nio.ByteBuffer;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLException;

/**
 * The memory of a loop's TLS links, which borrow buffers while they hold bytes. Used by the loop's
 * thread.
 *
 * <p>The JDK's ciphers work on arrays, and its sockets on memory outside of the heap: between the
 * two each byte is copied once, in each direction.
 *
 * <ul>
 *   <li>Input: the socket copies what it reads into an array. The engine decrypts each record
 *       there, and copies it to its destination.
 *   <li>Output: the engine copies the bytes of each record into one short array and encrypts them
 *       there. From that array, which stays in the processor's first cache, the record is copied
 *       behind others in memory outside of the heap, which the socket sends without a copy. If this
 *       memory were an array, the socket would copy all of it before each write, and what it did
 *       not take again before the next.
 * </ul>
 */
public final class TlsBuffers {
  /** Room in which the engine is willing to put any record. */
  static final int RECORD_ROOM_BYTES = 17 * 1024;

  /** As many full records are encrypted for one write to the socket. */
  private static final int RECORDS_PER_WRITE = 6;

  /** Room that is kept for answers to key updates. */
  static final int ANSWER_ROOM_BYTES = 2 * RECORD_ROOM_BYTES;

  private static final int BUFFER_BYTES = RECORDS_PER_WRITE * RECORD_ROOM_BYTES + ANSWER_ROOM_BYTES;

  private static final int BUFFERS_IDLE_MAX = 64;

  private final BufferPool input;
  private final BufferPool output;
  private final ByteBuffer record = ByteBuffer.allocate(RECORD_ROOM_BYTES);
  private final boolean engineOnArrays;

  /** Buffers as all links have them. */
  public TlsBuffers() {
    this(true);
  }

  /**
   * Buffers for measurements.
   *
   * @param engineOnArrays whether the engine works on arrays, as usual, or on the memory outside of
   *     the heap from which the socket sends and into which it reads
   */
  public TlsBuffers(boolean engineOnArrays) {
    this.engineOnArrays = engineOnArrays;
    this.input = new BufferPool(shape(!engineOnArrays));
    this.output = new BufferPool(shape(true));
  }

  private static BufferPool.Shape shape(boolean direct) {
    return new BufferPool.Shape(BUFFER_BYTES, BUFFERS_IDLE_MAX, direct);
  }

  /** For encrypted bytes that arrive, and for decrypted ones. */
  BufferPool input() {
    return input;
  }

  /** For encrypted bytes that leave. */
  BufferPool output() {
    return output;
  }

  /** Encrypts one record. The destination has room for any. */
  SSLEngineResult wrap(
      SSLEngine engine, ByteBuffer[] from, int offset, int length, ByteBuffer destination)
      throws SSLException {
    if (!engineOnArrays) return engine.wrap(from, offset, length, destination);
    SSLEngineResult result = engine.wrap(from, offset, length, record.clear());
    destination.put(record.flip());
    return result;
  }
}
