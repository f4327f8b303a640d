// SPDX-License-Identifier: Apache-2.0

package io.forebay.client.loop;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Reads bytes from front to back, and fetches the next parts in the meantime. One thread. */
public final class ReadAheadStream extends InputStream {
  /** What is read. */
  public interface Source {
    /** Fills the buffer as far as there are bytes; by completion its position has moved. */
    CompletableFuture<Integer> readAsync(ByteBuffer target, long offset);

    int await(CompletableFuture<Integer> count) throws IOException;

    void close() throws IOException;
  }

  /** The first parts are short, so that a small file costs little. */
  private static final int FIRST_BYTES = 64 * 1024;

  private static final int PART_BYTES_MAX = 1024 * 1024;

  /** Parts that were requested and are not consumed yet. */
  private static final int PARTS_MAX = 4;

  private record Part(ByteBuffer bytes, CompletableFuture<Integer> count) {}

  private final Source source;
  private final ArrayDeque<Part> coming = new ArrayDeque<>();
  private long askedTo;
  private int partBytes = FIRST_BYTES;
  private @Nullable ByteBuffer current;
  private boolean ended;

  public ReadAheadStream(Source source, long offset) {
    this.source = source;
    this.askedTo = offset;
  }

  @Override
  public int read() throws IOException {
    ByteBuffer bytes = fill();
    return bytes == null ? -1 : bytes.get() & 0xff;
  }

  @Override
  public int read(byte[] target, int from, int length) throws IOException {
    Objects.checkFromIndexSize(from, length, target.length);
    if (length == 0) return 0;
    ByteBuffer bytes = fill();
    if (bytes == null) return -1;
    int count = Math.min(length, bytes.remaining());
    bytes.get(target, from, count);
    return count;
  }

  @Override
  public int available() {
    return current == null ? 0 : current.remaining();
  }

  @Override
  public void close() throws IOException {
    while (!coming.isEmpty()) drop(coming.remove());
    source.close();
  }

  /** The part in use, never empty, or null at the end of the file. */
  private @Nullable ByteBuffer fill() throws IOException {
    while (true) {
      if (current != null && current.hasRemaining()) return current;
      if (ended) return null;
      askAhead();
      take(coming.remove());
    }
  }

  private void askAhead() {
    while (coming.size() < PARTS_MAX) {
      ByteBuffer bytes = buffer();
      coming.add(new Part(bytes, source.readAsync(bytes, askedTo)));
      askedTo += partBytes;
      // One part until it is clear that more is wanted.
      boolean first = partBytes == FIRST_BYTES;
      partBytes = Math.min(PART_BYTES_MAX, partBytes * 4);
      if (first) return;
    }
  }

  private ByteBuffer buffer() {
    ByteBuffer used = current;
    current = null;
    // Most parts are equally long, so that a few buffers go round.
    return used != null && used.capacity() == partBytes ? used.clear() : allocate();
  }

  /** Direct memory costs too much to be taken for one small part. */
  private ByteBuffer allocate() {
    return partBytes == FIRST_BYTES
        ? ByteBuffer.allocate(partBytes)
        : ByteBuffer.allocateDirect(partBytes);
  }

  private void take(Part part) throws IOException {
    int wanted = part.bytes.capacity();
    int count = source.await(part.count);
    current = part.bytes.flip();
    if (count < wanted) {
      // The file ended here when this part was read; parts behind it are not used.
      ended = true;
      while (!coming.isEmpty()) drop(coming.remove());
    }
  }

  private void drop(Part part) {
    CompletableFuture<?> unused = part.count.exceptionally(failure -> -1);
  }
}
