package io.forebay.client;

import io.forebay.client.core.OpenFile;
import io.forebay.client.core.content.Piece;
import io.forebay.wire.message.ErrorCode;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * The writes of one handle that return before they are acknowledged. Small ones that follow each
 * other share a record: the first goes at once, and while it is on its way the next ones gather.
 * Any thread; nothing is done under the lock that waits for others.
 */
final class WriteTail {
  private final ClientLoop loop;
  private final OpenFile file;
  private final BufferPool pool;
  private final String path;
  private final long timeoutNanos;
  private final RoomGate room;

  private @Nullable ByteBuffer gathering;
  private long gatheringOffset;
  private boolean gatheringAtEnd;
  private int unacknowledged;
  private boolean large;
  private @Nullable Throwable failure;

  WriteTail(
      ClientLoop loop,
      OpenFile file,
      BufferPool pool,
      String path,
      RoomGate room,
      long timeoutNanos) {
    this.loop = loop;
    this.file = file;
    this.pool = pool;
    this.path = path;
    this.room = room;
    this.timeoutNanos = timeoutNanos;
  }

  /** Copies what remains of the bytes and sees to it that they are sent. */
  void write(ByteBuffer bytes, long offset, boolean atEnd) throws IOException {
    if (file.isRoomBounded()) room.take(file, bytes.remaining(), path);
    long at = offset;
    while (bytes.hasRemaining()) {
      int before = bytes.remaining();
      gather(bytes, at, atEnd);
      at += before - bytes.remaining();
      if (before == bytes.remaining()) provide(bytes.remaining());
    }
  }

  /** Sends what has gathered; what is asked of the loop after this comes behind it. */
  synchronized void flush() {
    send();
  }

  /** Takes bytes into the buffer there is, as many as fit. */
  private synchronized void gather(ByteBuffer bytes, long at, boolean atEnd) throws IOException {
    if (failure != null) throw Failures.toException(failure, path);
    ByteBuffer buffer = gathering;
    if (buffer == null) return;
    boolean follows =
        atEnd == gatheringAtEnd && (atEnd || at == gatheringOffset + buffer.position());
    if (buffer.position() > 0 && !follows) {
      send();
      return;
    }
    if (buffer.position() == 0) {
      gatheringOffset = at;
      gatheringAtEnd = atEnd;
    }
    int fits = Math.min(bytes.remaining(), room(buffer, atEnd));
    buffer.put(buffer.position(), bytes, bytes.position(), fits);
    buffer.position(buffer.position() + fits);
    bytes.position(bytes.position() + fits);
    boolean full = room(buffer, atEnd) == 0;
    if (full) large = true;
    if (full || unacknowledged == 0) send();
  }

  /** How much more goes into the record: it ends where pieces do. */
  private int room(ByteBuffer buffer, boolean atEnd) {
    int pieceBytes = file.layout().pieceBytesMax();
    long start = atEnd ? 0 : gatheringOffset % pieceBytes;
    long most = Math.min(buffer.capacity(), pieceBytes - start);
    return (int) (most - buffer.position());
  }

  /** Waits for memory, not under the lock, since what frees it may need the lock. */
  private void provide(int bytes) throws IOException {
    ByteBuffer buffer = pool.take(large || bytes > BufferPool.SMALL_BYTES, timeoutNanos);
    if (buffer == null) {
      throw new ForebayException(
          ErrorCode.BUSY,
          path
              + ": nothing was acknowledged for so long that no memory came free; see 'forebay status'");
    }
    synchronized (this) {
      if (gathering == null) {
        gathering = buffer;
        return;
      }
    }
    // Another thread was faster.
    pool.giveBack(buffer);
  }

  private void send() {
    ByteBuffer buffer = gathering;
    if (buffer == null) return;
    gathering = null;
    if (buffer.position() == 0) {
      pool.giveBack(buffer);
      return;
    }
    buffer.flip();
    long offset = gatheringOffset;
    boolean atEnd = gatheringAtEnd;
    List<Piece> pieces = file.layout().cut(buffer, atEnd ? 0 : offset);
    unacknowledged++;
    // Room has been taken by whoever wrote, so that it was told if there is none.
    CompletableFuture<Void> sent =
        loop.submit(
            () ->
                (atEnd ? file.append(pieces, true) : file.write(pieces, offset, true))
                    .acknowledged());
    CompletableFuture<?> unused = sent.whenComplete((done, why) -> acknowledged(buffer, why));
  }

  private void acknowledged(ByteBuffer buffer, @Nullable Throwable why) {
    pool.giveBack(buffer);
    synchronized (this) {
      if (why != null && failure == null) failure = why;
      if (--unacknowledged == 0) send();
    }
  }
}
