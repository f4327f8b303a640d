// SPDX-License-Identifier: Apache-2.0

package io.forebay.client;

import io.forebay.client.core.OpenFile;
import io.forebay.client.core.content.write.Piece;
import io.forebay.client.core.route.RequestFailed;
import io.forebay.client.failure.Failures;
import io.forebay.client.file.AttributeChange;
import io.forebay.client.file.FileStat;
import io.forebay.client.file.NodePath;
import io.forebay.client.file.OpenFlags;
import io.forebay.client.host.Location;
import io.forebay.client.loop.ClientLoop;
import io.forebay.client.loop.ReadAheadStream;
import io.forebay.client.loop.WriteTail;
import io.forebay.client.profile.Call;
import io.forebay.client.profile.count.FileCalls;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ReadOnlyBufferException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.NonReadableChannelException;
import java.nio.channels.NonWritableChannelException;
import java.nio.channels.SeekableByteChannel;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/**
 * An open file. Any number of threads may read and write it at once, at any offset; no operation
 * here blocks another.
 *
 * <p>This client sees its writes at once; other clients see them once they are published, by {@link
 * #sync} or {@link #close}. Overlapping writes without an order leave each byte with one of the
 * values written.
 */
public final class ForebayFile implements AutoCloseable {
  private final Forebay client;
  private final ClientLoop loop;
  private volatile OpenFile file;
  private final WriteTail tail;
  private final NodePath at;
  private final String path;
  private final OpenFlags flags;
  private final FileCalls calls;
  private final Object reviving = new Object();
  private volatile boolean closed;

  ForebayFile(Forebay client, OpenFile file, WriteTail tail, NodePath at, OpenFlags flags) {
    this.client = client;
    this.loop = client.loop();
    this.file = file;
    this.tail = tail;
    this.at = at;
    this.path = at.shown();
    this.flags = flags;
    this.calls = client.handles().calls(file.number(), path);
    calls.called(Call.OPEN, calls.now());
  }

  /** The path it was opened by, or its description in messages. */
  public String path() {
    return path;
  }

  /** The file's number. It stays the same when the file is renamed or unlinked. */
  public long number() {
    return file.number();
  }

  /**
   * Writes all bytes at an offset. Returns when they are copied, which may be before they are
   * acknowledged; if they cannot be kept, a later write, the next sync and close say so.
   */
  public void write(ByteBuffer bytes, long offset) throws IOException {
    requireWritable();
    if (offset < 0) throw new IllegalArgumentException("offset " + offset);
    revive();
    long lengthBytes = bytes.remaining();
    long start = calls.now();
    requireAllowed(offset + lengthBytes, false);
    tail.write(bytes, offset, false);
    calls.accessed(Call.WRITE, offset, lengthBytes, start);
    finishWrite();
  }

  /** The same, at the end that the file has when the bytes are published. */
  public void append(ByteBuffer bytes) throws IOException {
    requireWritable();
    revive();
    long lengthBytes = bytes.remaining();
    long start = calls.now();
    requireAllowed(0, true);
    tail.write(bytes, 0, true);
    calls.appended(lengthBytes, start);
    finishWrite();
  }

  /**
   * Fails if the instance's write protection would refuse a write that ends at that offset. The
   * writes of this class call it themselves; a caller of {@link #writeAsync} that cannot wait for
   * the future learns of a refusal here.
   */
  public void requireAllowed(long endOffset) throws IOException {
    requireAllowed(endOffset, false);
  }

  private void requireAllowed(long endOffset, boolean appended) throws IOException {
    RequestFailed objection = file.objection(endOffset, appended);
    if (objection != null) throw Failures.toException(objection, path);
  }

  private void finishWrite() throws IOException {
    if (flags.sync()) sync();
  }

  /**
   * Writes all bytes at an offset without copying them: the buffer's content must not change until
   * the future is complete, which is when all of it is acknowledged.
   */
  public CompletableFuture<Void> writeAsync(ByteBuffer bytes, long offset) {
    if (offset < 0) throw new IllegalArgumentException("offset " + offset);
    long lengthBytes = bytes.remaining();
    long start = calls.now();
    return submitWrite(
            bytes, offset, pieces -> () -> file.write(pieces, offset, false).acknowledged())
        .whenComplete((done, failure) -> calls.accessed(Call.WRITE, offset, lengthBytes, start));
  }

  /** The same, at the end that the file has when the bytes are published. */
  public CompletableFuture<Void> appendAsync(ByteBuffer bytes) {
    long lengthBytes = bytes.remaining();
    long start = calls.now();
    return submitWrite(bytes, 0, pieces -> () -> file.append(pieces, false).acknowledged())
        .whenComplete((done, failure) -> calls.appended(lengthBytes, start));
  }

  private interface Submission {
    Supplier<CompletableFuture<Void>> of(List<Piece> pieces);
  }

  private CompletableFuture<Void> submitWrite(ByteBuffer bytes, long offset, Submission how) {
    if (closed) return CompletableFuture.failedFuture(new ClosedChannelException());
    if (!flags.write()) throw new NonWritableChannelException();
    // Here and not on the loop: checksums of several writers are computed at the same time.
    List<Piece> pieces = file.layout().cut(bytes.duplicate(), offset);
    bytes.position(bytes.limit());
    tail.flush();
    return Failures.translated(loop.submit(bytes.duplicate(), how.of(pieces)), path);
  }

  /** Reads at an offset until the buffer is full or the file ends; -1 if it ends before that. */
  public int read(ByteBuffer target, long offset) throws IOException {
    requireReadable();
    if (offset < 0) throw new IllegalArgumentException("offset " + offset);
    if (target.isReadOnly()) throw new ReadOnlyBufferException();
    revive();
    long start = calls.now();
    client.handles().flush(file.number());
    int count = await(loop.submit(target, () -> file.read(offset, target)));
    calls.accessed(Call.READ, offset, Math.max(0, count), start);
    if (count > 0) target.position(target.position() + count);
    return count;
  }

  /**
   * The same without waiting. The buffer belongs to this client until the future completes; by then
   * its position has moved.
   */
  public CompletableFuture<Integer> readAsync(ByteBuffer target, long offset) {
    if (closed) return CompletableFuture.failedFuture(new ClosedChannelException());
    if (!flags.read()) throw new NonReadableChannelException();
    if (target.isReadOnly()) throw new ReadOnlyBufferException();
    long start = calls.now();
    client.handles().flush(file.number());
    CompletableFuture<Integer> count =
        loop.submit(target, () -> file.read(offset, target))
            .thenApply(
                read -> {
                  if (read > 0) target.position(target.position() + read);
                  calls.accessed(Call.READ, offset, Math.max(0, read), start);
                  return read;
                });
    return Failures.translated(count, path);
  }

  /** The file's size as this client sees it. */
  public long size() throws IOException {
    return stat().sizeBytes();
  }

  /** The file's attributes. */
  public FileStat stat() throws IOException {
    requireOpen();
    client.handles().flush(file.number());
    return FileStat.of(loop.call(path, file::attributes));
  }

  /** The attributes at the time of the open, without a request. */
  public FileStat openedStat() {
    return FileStat.of(file.openedAttributes());
  }

  /**
   * Changes attributes of the file, even if it has been unlinked. Publishes earlier writes first.
   */
  public FileStat set(AttributeChange what) throws IOException {
    requireOpen();
    revive();
    client.handles().flush(file.number());
    return FileStat.of(loop.call(path, () -> file.set(what.request(file.number(), ""))));
  }

  /** Sets the file's size, and publishes earlier writes. */
  public void truncate(long sizeBytes) throws IOException {
    requireWritable();
    revive();
    client.handles().flush(file.number());
    loop.call(path, () -> file.truncate(sizeBytes));
  }

  /**
   * Reserves room for a range, if the instance has a capacity. This client keeps the room for its
   * next writes, to this or another file, until it disconnects.
   *
   * @param keepSize whether the file keeps its size
   */
  public void allocate(long offset, long lengthBytes, boolean keepSize) throws IOException {
    requireWritable();
    long end = endOf(offset, lengthBytes);
    revive();
    client.handles().flush(file.number());
    if (file.isRoomBounded()) {
      long missing = loop.call(path, () -> file.holes().holeBytes(offset, end));
      client.room().reserve(file, missing, path);
    }
    loop.call(path, () -> file.allocate(offset, end - offset, keepSize));
  }

  /**
   * Makes a hole, which reads as zeros, up to the end of the file. The size stays. Publishes
   * earlier writes and the hole.
   */
  public void punch(long offset, long lengthBytes) throws IOException {
    requireWritable();
    long end = endOf(offset, lengthBytes);
    revive();
    client.handles().flush(file.number());
    loop.call(path, () -> file.punch(offset, end - offset));
  }

  /** The same, and extends the file to the end of the range unless {@code keepSize} is set. */
  public void zero(long offset, long lengthBytes, boolean keepSize) throws IOException {
    punch(offset, lengthBytes);
    loop.call(path, () -> file.allocate(offset, lengthBytes, keepSize));
  }

  /** The first byte at or behind an offset that is in no hole; -1 if there is none. */
  public long seekData(long offset) throws IOException {
    return seek(offset, () -> file.holes().data(offset));
  }

  /**
   * The first byte at or behind an offset that is in a hole, where the end of the file counts as
   * one; -1 from the end on.
   */
  public long seekHole(long offset) throws IOException {
    return seek(offset, () -> file.holes().hole(offset));
  }

  private long seek(long offset, Supplier<CompletableFuture<Long>> search) throws IOException {
    requireOpen();
    if (offset < 0) throw new IllegalArgumentException("offset " + offset);
    client.handles().flush(file.number());
    return loop.call(path, search);
  }

  /**
   * Copies a range to another file of this client, as far as this one goes; how many bytes that
   * were. Holes stay holes. The bytes pass through this client.
   */
  public long copyTo(ForebayFile target, long offset, long targetOffset, long lengthBytes)
      throws IOException {
    requireReadable();
    target.requireWritable();
    endOf(offset, lengthBytes);
    endOf(targetOffset, lengthBytes);
    revive();
    target.revive();
    return new FileCopy(this, target, client.pool()).copy(offset, targetOffset, lengthBytes);
  }

  private static long endOf(long offset, long lengthBytes) {
    if (offset < 0 || lengthBytes <= 0 || lengthBytes > Long.MAX_VALUE - offset) {
      throw new IllegalArgumentException("no range: " + offset + "+" + lengthBytes);
    }
    return offset + lengthBytes;
  }

  /** Waits for the result of an operation on this file. */
  <T> T await(CompletableFuture<T> future) throws IOException {
    return loop.await(future, path);
  }

  /** Waits until all writes are kept, and publishes them. */
  public void sync() throws IOException {
    requireOpen();
    long start = calls.now();
    loop.await(submitSync(), path);
    calls.called(Call.SYNC, start);
  }

  /** The same without waiting. */
  public CompletableFuture<Void> syncAsync() {
    if (closed) return CompletableFuture.failedFuture(new ClosedChannelException());
    long start = calls.now();
    return Failures.translated(submitSync(), path)
        .whenComplete((done, failure) -> calls.called(Call.SYNC, start));
  }

  private CompletableFuture<Void> submitSync() {
    client.handles().flush(file.number());
    return loop.submit(() -> file.sync()).thenCompose(done -> unlessLost());
  }

  /**
   * Fails if a buffered write could not be sent: the core, which publishes, never received that
   * write.
   */
  private CompletableFuture<Void> unlessLost() {
    Throwable lost = tail.failure();
    return lost == null
        ? CompletableFuture.completedFuture(null)
        : CompletableFuture.failedFuture(lost);
  }

  /** The hosts that have the bytes of a range. */
  public List<Location> locate(long offset, long lengthBytes) throws IOException {
    requireOpen();
    return client.locate(file.number(), path, offset, lengthBytes);
  }

  /** A channel over this file with a position of its own; closing it closes the file. */
  public SeekableByteChannel channel() {
    return new ForebayChannel(this, flags.append());
  }

  /** The file's bytes from an offset on, read ahead; closing it closes the file. */
  public InputStream inputStream(long offset) {
    return new ReadAheadStream(
        new ReadAheadStream.Source() {
          @Override
          public CompletableFuture<Integer> readAsync(ByteBuffer target, long at) {
            return ForebayFile.this.readAsync(target, at);
          }

          @Override
          public int await(CompletableFuture<Integer> count) throws IOException {
            return loop.await(count, path);
          }

          @Override
          public void close() throws IOException {
            ForebayFile.this.close();
          }
        },
        offset);
  }

  /** Writes from an offset on, or at the end if opened so; closing it closes the file. */
  public OutputStream outputStream(long offset) {
    return new WriteStream(this, offset, flags.append());
  }

  /** Publishes and closes the file. If that fails, some writes may be lost. */
  @Override
  public void close() throws IOException {
    long start = calls.now();
    boolean first = !closed;
    loop.await(submitClose(), path);
    if (first) calls.called(Call.CLOSE, start);
  }

  /** The same without waiting. */
  public CompletableFuture<Void> closeAsync() {
    return Failures.translated(submitClose(), path);
  }

  private CompletableFuture<Void> submitClose() {
    if (closed) return CompletableFuture.completedFuture(null);
    closed = true;
    tail.flush();
    client.handles().remove(this);
    return loop.submit(() -> file.close())
        .thenCompose(done -> deleteIfAsked())
        .thenCompose(done -> unlessLost());
  }

  private CompletableFuture<Void> deleteIfAsked() {
    if (!flags.deleteOnClose()) return CompletableFuture.completedFuture(null);
    // Another client may have deleted the file already, or given its name to another file.
    return client.names().unlinkAsync(at).handle((done, failure) -> null);
  }

  public boolean isOpen() {
    return !closed;
  }

  void flushTail() {
    tail.flush();
  }

  /**
   * Opens the file again, by its number, if its session has ended and no write was lost. If a write
   * was lost, every operation on a file that is open for writing fails.
   */
  private void revive() throws IOException {
    if (!file.isStranded()) return;
    synchronized (reviving) {
      OpenFile old = file;
      if (!old.isStranded() || tail.failure() != null) return;
      OpenFile again = client.openAgain(old, flags.write(), path);
      if (again.equals(old)) return;
      tail.moveTo(again);
      file = again;
      CompletableFuture<Void> unused = loop.submit(old::close);
      if (closed) unused = loop.submit(again::close);
    }
  }

  private void requireOpen() throws ClosedChannelException {
    if (closed) throw new ClosedChannelException();
  }

  private void requireReadable() throws ClosedChannelException {
    requireOpen();
    if (!flags.read()) throw new NonReadableChannelException();
  }

  private void requireWritable() throws ClosedChannelException {
    requireOpen();
    if (!flags.write()) throw new NonWritableChannelException();
  }
}
