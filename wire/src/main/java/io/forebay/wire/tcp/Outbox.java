// SPDX-License-Identifier: Apache-2.0

package io.forebay.wire.tcp;

import io.forebay.wire.Payload;
import io.forebay.wire.buffer.BufferPool;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.GatheringByteChannel;
import java.util.ArrayDeque;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The output of one connection. Heads and bodies are gathered in chunks, so that many small
 * messages leave in one write; payloads leave from where they are.
 */
final class Outbox {
  /** Buffers of one write. */
  private static final int GATHERED_MAX = 64;

  /** No more is offered to the socket at once; it would not take it. */
  private static final long OFFERED_BYTES_MAX = 8 * 1024 * 1024;

  /**
   * The JDK copies all of a heap buffer into a direct buffer before each write, even if the socket
   * takes little of it. So it gets only this much at a time.
   */
  private static final int HEAP_BYTES_MAX = 256 * 1024;

  private static final ByteBuffer EMPTY = ByteBuffer.allocate(0);

  /** A buffer of the pool with the bytes of several messages. */
  private static final class Chunk {
    final ByteBuffer bytes;
    int pieces;

    Chunk(ByteBuffer bytes) {
      this.bytes = bytes;
    }
  }

  /** A run of bytes to send: part of a chunk, or a payload. */
  private static final class Piece {
    final ByteBuffer view;
    final @Nullable Chunk chunk;
    final @Nullable Payload payload;
    final int start;

    Piece(ByteBuffer view, @Nullable Chunk chunk, @Nullable Payload payload) {
      this.view = view;
      this.chunk = chunk;
      this.payload = payload;
      this.start = view.position();
    }
  }

  private final BufferPool pool;
  private final ArrayDeque<Piece> pieces = new ArrayDeque<>();
  private final ByteBuffer[] gathered = new ByteBuffer[GATHERED_MAX];
  private @Nullable Chunk filling;
  private long queuedBytes;
  private long copiedBytes;

  Outbox(BufferPool pool) {
    this.pool = pool;
  }

  long queuedBytes() {
    return queuedBytes;
  }

  /** Bytes of heads and bodies among them, which take memory of their own. */
  long copiedBytes() {
    return copiedBytes;
  }

  boolean isEmpty() {
    return pieces.isEmpty();
  }

  /** Copies the bytes. */
  void add(ByteBuffer frame) {
    queuedBytes += frame.remaining();
    copiedBytes += frame.remaining();
    while (frame.hasRemaining()) {
      Piece piece = openPiece();
      ByteBuffer room = chunkOf(piece).bytes;
      int count = Math.min(room.remaining(), frame.remaining());
      room.put(room.position(), frame, frame.position(), count);
      room.position(room.position() + count);
      frame.position(frame.position() + count);
      piece.view.limit(room.position());
    }
  }

  /** Takes a view of the payload, which is released when it is sent or never will be. */
  void add(Payload payload) {
    ByteBuffer view = payload.bytes().duplicate();
    queuedBytes += view.remaining();
    pieces.addLast(new Piece(view, null, payload));
  }

  /** The last piece if more can be put behind it, else a new one. */
  private Piece openPiece() {
    Chunk chunk = filling;
    if (chunk == null || !chunk.bytes.hasRemaining()) {
      chunk = new Chunk(pool.take());
      filling = chunk;
    }
    Piece last = pieces.peekLast();
    if (last != null && last.chunk == chunk) return last;
    int start = chunk.bytes.position();
    Piece piece = new Piece(chunk.bytes.duplicate().limit(start), chunk, null);
    chunk.pieces++;
    pieces.addLast(piece);
    return piece;
  }

  private static Chunk chunkOf(Piece piece) {
    if (piece.chunk == null) throw new IllegalStateException("a payload is not a chunk");
    return piece.chunk;
  }

  /**
   * Writes the queue to the socket until it takes no more, or the given number of bytes is written,
   * and releases what was sent.
   *
   * @return how many bytes were written
   */
  long flush(GatheringByteChannel channel, long bytesMax) throws IOException {
    long sent = 0;
    boolean taking = true;
    while (taking && sent < bytesMax && !pieces.isEmpty()) {
      int count = gather();
      int lastLimit = limitHeap(count);
      long offered = 0;
      for (int i = 0; i < count; i++) offered += gathered[i].remaining();
      long taken = offered == 0 ? 0 : channel.write(gathered, 0, count);
      gathered[count - 1].limit(lastLimit);
      // So that sent payloads are not kept alive from here.
      Arrays.fill(gathered, 0, count, EMPTY);
      queuedBytes -= taken;
      sent += taken;
      taking = taken == offered;
      releaseSent();
    }
    return sent;
  }

  /** Writes the queue once, before it is dropped. */
  void offer(GatheringByteChannel channel) throws IOException {
    if (pieces.isEmpty()) return;
    int count = gather();
    limitHeap(count);
    channel.write(gathered, 0, count);
  }

  /** Puts the first pieces into {@link #gathered}; ends behind one that is not direct. */
  private int gather() {
    int count = 0;
    long bytes = 0;
    for (Piece piece : pieces) {
      gathered[count++] = piece.view;
      bytes += piece.view.remaining();
      if (count == GATHERED_MAX || bytes >= OFFERED_BYTES_MAX || !piece.view.isDirect()) break;
    }
    return count;
  }

  /** Shortens the last buffer if it is on the heap and long, and returns its own limit. */
  private int limitHeap(int count) {
    ByteBuffer last = gathered[count - 1];
    int limit = last.limit();
    if (!last.isDirect() && last.remaining() > HEAP_BYTES_MAX) {
      last.limit(last.position() + HEAP_BYTES_MAX);
    }
    return limit;
  }

  private void releaseSent() {
    while (true) {
      Piece first = pieces.peekFirst();
      if (first == null || first.view.hasRemaining()) return;
      pieces.removeFirst();
      release(first);
    }
  }

  private void release(Piece piece) {
    if (piece.payload != null) piece.payload.release();
    // A piece is a run of the chunk's bytes up to its limit, sent or dropped as a whole.
    else copiedBytes -= piece.view.limit() - piece.start;
    Chunk chunk = piece.chunk;
    if (chunk == null || --chunk.pieces > 0) return;
    // None of its bytes is queued, so it need not wait until it is full.
    if (chunk == filling) filling = null;
    pool.giveBack(chunk.bytes);
  }

  /** Releases everything that will not be sent. */
  void drop() {
    queuedBytes = 0;
    while (true) {
      Piece first = pieces.pollFirst();
      if (first == null) return;
      release(first);
    }
  }
}
