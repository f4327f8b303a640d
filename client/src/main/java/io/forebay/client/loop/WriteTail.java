// SPDX-License-Identifier: Apache-2.0

package io.forebay.client.loop;

import io.forebay.client.core.OpenFile;
import io.forebay.client.core.content.write.Piece;
import io.forebay.client.failure.Failures;
import io.forebay.client.failure.ForebayException;
import io.forebay.wire.message.ErrorCode;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The writes of one handle that return before they are acknowledged. Small sequential writes share
 * a record: the first goes at once, and while it is in flight the next ones gather. Any thread; no
 * code under the lock waits.
 */
public final class WriteTail {
  /**
   * The shared parts of a client's handles.
   *
   * @param gathering the number of handles with gathered writes
   */
  public record Ground(
      BufferPool pool, RoomGate room, AtomicInteger gathering, long timeoutNanos) {}

  private final ClientLoop loop;
  private volatile OpenFile file;
  private final String path;
  private final Ground ground;
  private @Nullable ByteBuffer gathered;
  private long gatheredOffset;
  private boolean gatheredAtEnd;
  private boolean counted;
  private int unacknowledged;
  private boolean large;
  private @Nullable Throwable failure;

  public WriteTail(ClientLoop loop, OpenFile file, String path, Ground ground) {
    this.loop = loop;
    this.file = file;
    this.path = path;
    this.ground = ground;
  }

  /** Copies what remains of the bytes and sees to it that they are sent. */
  public void write(ByteBuffer bytes, long offset, boolean atEnd) throws IOException {
    // The end of an append is unknown yet.
    long endOffset = bytes.remaining() + (atEnd ? 0 : offset);
    if (file.isRoomBounded()) ground.room().take(file, bytes.remaining(), endOffset, path);
    long at = offset;
    while (bytes.remaining() > BufferPool.SMALL_BYTES) {
      int count = writeWhole(bytes, at, atEnd);
      at += count;
    }
    while (bytes.hasRemaining()) {
      int before = bytes.remaining();
      gather(bytes, at, atEnd);
      at += before - bytes.remaining();
      if (before == bytes.remaining()) provide(bytes.remaining());
    }
  }

  /**
   * Sends a record by itself. Copies and computes the checksum outside the lock, so that writers
   * run in parallel.
   */
  private int writeWhole(ByteBuffer bytes, long at, boolean atEnd) throws IOException {
    ByteBuffer buffer = take(true);
    int pieceBytes = file.layout().pieceBytesMax();
    long most = Math.min(buffer.capacity(), pieceBytes - (atEnd ? 0 : at % pieceBytes));
    int count = (int) Math.min(bytes.remaining(), most);
    buffer.put(0, bytes, bytes.position(), count).limit(count);
    bytes.position(bytes.position() + count);
    List<Piece> pieces = file.layout().cut(buffer, atEnd ? 0 : at);
    synchronized (this) {
      if (failure != null) {
        ground.pool().giveBack(buffer);
        throw Failures.toException(failure, path);
      }
      // Earlier writes of this thread come first.
      sendGathered();
      send(buffer, pieces, at, atEnd);
    }
    return count;
  }

  /** The file has been opened again, since the session ended that it was opened in. */
  public synchronized void moveTo(OpenFile again) {
    file = again;
  }

  /** Why something that was written is not kept, or null. */
  public synchronized @Nullable Throwable failure() {
    return failure;
  }

  /** Sends the gathered writes; later requests to the loop come after them. */
  public synchronized void flush() {
    sendGathered();
  }

  /** Takes bytes into the buffer there is, as many as fit. */
  private synchronized void gather(ByteBuffer bytes, long at, boolean atEnd) throws IOException {
    if (failure != null) throw Failures.toException(failure, path);
    ByteBuffer buffer = gathered;
    if (buffer == null) return;
    boolean follows = atEnd == gatheredAtEnd && (atEnd || at == gatheredOffset + buffer.position());
    if (buffer.position() > 0 && !follows) {
      sendGathered();
      return;
    }
    if (buffer.position() == 0) {
      gatheredOffset = at;
      gatheredAtEnd = atEnd;
    }
    int fits = Math.min(bytes.remaining(), room(buffer, atEnd));
    buffer.put(buffer.position(), bytes, bytes.position(), fits);
    buffer.position(buffer.position() + fits);
    bytes.position(bytes.position() + fits);
    boolean full = room(buffer, atEnd) == 0;
    if (full) large = true;
    if (full || unacknowledged == 0) sendGathered();
    else count(true);
  }

  private void count(boolean hasGathered) {
    if (hasGathered == counted) return;
    counted = hasGathered;
    ground.gathering().addAndGet(hasGathered ? 1 : -1);
  }

  /** How many more bytes fit into the record: it ends where pieces do. */
  private int room(ByteBuffer buffer, boolean atEnd) {
    int pieceBytes = file.layout().pieceBytesMax();
    long start = atEnd ? 0 : gatheredOffset % pieceBytes;
    long most = Math.min(buffer.capacity(), pieceBytes - start);
    return (int) (most - buffer.position());
  }

  private void provide(int bytes) throws IOException {
    ByteBuffer buffer = take(large || bytes > BufferPool.SMALL_BYTES);
    synchronized (this) {
      if (gathered == null) {
        gathered = buffer;
        return;
      }
    }
    // Another thread was faster.
    ground.pool().giveBack(buffer);
  }

  /** Waits for memory; never under the lock, since what frees it may need the lock. */
  private ByteBuffer take(boolean wantsLarge) throws ForebayException {
    // Longer than a write is tried: memory comes back with writes that fail, and their reason is
    // the better one.
    ByteBuffer buffer = ground.pool().take(wantsLarge, 2 * ground.timeoutNanos());
    if (buffer != null) return buffer;
    throw new ForebayException(
        ErrorCode.BUSY,
        path
            + ": nothing was acknowledged for so long that no memory came free; see 'forebay"
            + " status'");
  }

  private void sendGathered() {
    ByteBuffer buffer = gathered;
    if (buffer == null) return;
    gathered = null;
    if (buffer.position() == 0) {
      count(false);
      ground.pool().giveBack(buffer);
      return;
    }
    buffer.flip();
    List<Piece> pieces = file.layout().cut(buffer, gatheredAtEnd ? 0 : gatheredOffset);
    send(buffer, pieces, gatheredOffset, gatheredAtEnd);
    // Only now: a thread that finds nothing gathered does not wait for the lock, and what it asks
    // of
    // the loop must come behind these bytes.
    count(false);
  }

  private void send(ByteBuffer buffer, List<Piece> pieces, long offset, boolean atEnd) {
    unacknowledged++;
    // The writer has already reserved the room, so that it got the error if there is none.
    OpenFile to = file;
    CompletableFuture<Void> sent =
        loop.submit(
            () ->
                (atEnd ? to.append(pieces, true) : to.write(pieces, offset, true)).acknowledged());
    CompletableFuture<?> unused = sent.whenComplete((done, why) -> acknowledged(buffer, why));
  }

  private void acknowledged(ByteBuffer buffer, @Nullable Throwable why) {
    ground.pool().giveBack(buffer);
    synchronized (this) {
      if (why != null && failure == null) failure = why;
      if (--unacknowledged == 0) sendGathered();
    }
  }
}
