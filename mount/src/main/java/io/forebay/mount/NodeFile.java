// SPDX-License-Identifier: Apache-2.0

package io.forebay.mount;

import io.forebay.client.ForebayFile;
import io.forebay.mount.fuse.operation.Errno;
import io.forebay.mount.fuse.operation.ErrnoException;
import io.forebay.mount.fuse.operation.RequestBytes;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * A file that programs have open in the mount; one object for all of them. All write through one
 * handle of the client, so that writes keep their order between programs, even small ones that are
 * sent together. Any thread.
 *
 * <p>A write that failed after its answer makes every later write, sync and close of the file fail
 * until all have closed it.
 */
final class NodeFile {
  /**
   * Larger writes are sent directly from libfuse's buffers; smaller ones are gathered by the
   * client.
   */
  private static final int GATHERED_BYTES_MAX = 64 * 1024;

  /**
   * The maximum number of unpublished writes: others see a file without syncs at least this often,
   * and memory stays bounded.
   */
  private static final int UNPUBLISHED_WRITES_MAX = 4096;

  private final long number;
  private final List<ForebayFile> all = new ArrayList<>();
  private int users;
  private @Nullable ForebayFile writer;
  private @Nullable ForebayFile reader;
  private volatile @Nullable Throwable failure;
  private volatile boolean failureTold;
  private final AtomicLong writes = new AtomicLong();

  /** The number of writes whose publish was requested, and of those that are published. */
  private final AtomicLong published = new AtomicLong();

  private final AtomicLong settled = new AtomicLong();

  NodeFile(long number) {
    this.number = number;
  }

  long number() {
    return number;
  }

  /** One more has it open. */
  synchronized void add(ForebayFile file, boolean reads, boolean writes) {
    all.add(file);
    if (reads && reader == null) reader = file;
    if (writes && writer == null) writer = file;
  }

  /** Changes the number of users; called under the lock of the table only. */
  int users(int change) {
    users += change;
    return users;
  }

  private synchronized ForebayFile writer() throws ErrnoException {
    ForebayFile file = writer;
    if (file == null) throw new ErrnoException(Errno.EBADF);
    return file;
  }

  /** Opens a file to read it. */
  interface Opening {
    ForebayFile open() throws IOException;
  }

  /** A handle that reads, opened if there is none. */
  synchronized ForebayFile readerOr(Opening opening) throws IOException {
    ForebayFile file = reader;
    if (file != null) return file;
    file = opening.open();
    add(file, true, false);
    return file;
  }

  /** Any handle, for calls that need no right. */
  private synchronized ForebayFile any() {
    return all.getFirst();
  }

  /** Whether a program has it open for writing. */
  synchronized boolean isWritable() {
    return writer != null;
  }

  ForebayFile writable() throws IOException {
    throwIfFailed();
    return writer();
  }

  void write(RequestBytes request, long offset, boolean sync) throws IOException {
    ForebayFile file = writable();
    ByteBuffer bytes = request.bytes();
    // Before it counts: a refused write leaves the file as it is.
    file.requireAllowed(offset + bytes.remaining());
    long count = writes.incrementAndGet();
    if (bytes.remaining() > GATHERED_BYTES_MAX) writeKept(file, request, offset);
    else file.write(bytes, offset);
    if (sync) sync();
    else if (count - published.get() >= UNPUBLISHED_WRITES_MAX) publishLater(file, count);
  }

  private void writeKept(ForebayFile file, RequestBytes request, long offset) {
    Runnable letGo = request.keep();
    CompletableFuture<Void> acknowledged;
    try {
      acknowledged = file.writeAsync(request.bytes(), offset);
    } catch (RuntimeException e) {
      letGo.run();
      throw e;
    }
    var _ =
        acknowledged.whenComplete(
            (done, why) -> {
              if (why != null) fail(why);
              letGo.run();
            });
  }

  private void publishLater(ForebayFile file, long count) {
    published.accumulateAndGet(count, Math::max);
    var _ =
        file.syncAsync()
            .whenComplete(
                (done, why) -> {
                  if (why != null) fail(why);
                });
  }

  /** Records a write that did not go through this handle. */
  void written() {
    writes.incrementAndGet();
  }

  /** Whether others can see all that was written, and nothing failed. */
  boolean isPublished() {
    return failure == null && settled.get() >= writes.get();
  }

  /** Waits until all that was written is kept and published. */
  void sync() throws IOException {
    throwIfFailed();
    long upTo = writes.get();
    // A pending publish may cover less, or fail: only answered ones count.
    if (settled.get() >= upTo) return;
    try {
      any().sync();
    } catch (IOException e) {
      fail(e);
    }
    throwIfFailed();
    settled.accumulateAndGet(upTo, Math::max);
    published.accumulateAndGet(upTo, Math::max);
  }

  private void fail(Throwable why) {
    synchronized (this) {
      if (failure == null) failure = why;
    }
  }

  private void throwIfFailed() throws IOException {
    Throwable why = failure;
    if (why == null) return;
    failureTold = true;
    throw new IOException("an earlier write failed", why);
  }

  /** Whether programs got an error for a write that was not kept. */
  boolean isFailureTold() {
    return failureTold;
  }

  /** All programs have closed it. */
  CompletableFuture<Void> close() {
    List<CompletableFuture<Void>> closing = new ArrayList<>();
    synchronized (this) {
      for (ForebayFile file : all) closing.add(file.closeAsync());
      all.clear();
    }
    return CompletableFuture.allOf(closing.toArray(CompletableFuture[]::new));
  }
}
