// SPDX-License-Identifier: Apache-2.0

package io.forebay.store.disk;

import io.forebay.base.Answers;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.IntFunction;

/**
 * A disk in the memory of this process, which does not survive it. Each request is carried out when
 * it is submitted, on the caller's thread, and answered in the order of submission. Creating a file
 * touches all of its memory, so a large one holds the caller up for about a second per gigabyte.
 *
 * <p>A file's bytes are one buffer, which is also its mapping. Deleting a file frees its capacity
 * at once, and its memory when the last view of it is gone.
 */
public final class MemoryDisk implements Disk {
  private final IntFunction<ByteBuffer> allocator;
  private final long capacityBytes;
  private final Answers answers;
  private final Map<String, ByteBuffer> files = new TreeMap<>();
  private long usedBytes;
  private boolean closed;

  private MemoryDisk(
      IntFunction<ByteBuffer> allocator, long capacityBytes, int pendingMax, Runnable wakeUp) {
    this.allocator = allocator;
    this.capacityBytes = capacityBytes;
    this.answers = new Answers(pendingMax, wakeUp);
  }

  /**
   * Outside the heap, for data that sockets and devices read and write; needs as much {@code
   * -XX:MaxDirectMemorySize}.
   *
   * @param wakeUp called on submission, since that is when an answer becomes due
   */
  public static MemoryDisk direct(long capacityBytes, int pendingMax, Runnable wakeUp) {
    // Direct buffers are zeroed when they are made, which also faults their pages in.
    return new MemoryDisk(ByteBuffer::allocateDirect, capacityBytes, pendingMax, wakeUp);
  }

  /** Inside the heap, for small disks that come and go, as in tests. */
  public static MemoryDisk onHeap(long capacityBytes, int pendingMax, Runnable wakeUp) {
    return new MemoryDisk(ByteBuffer::allocate, capacityBytes, pendingMax, wakeUp);
  }

  @Override
  public void create(String name, long bytes, Completion completion) {
    Requests.requireSize(name, bytes);
    submit(name, completion, () -> create(name, bytes));
  }

  @Override
  public void write(String name, long position, ByteBuffer source, Completion completion) {
    submit(name, completion, () -> range(name, position, source.remaining()).put(source));
  }

  @Override
  public void read(String name, long position, ByteBuffer target, Completion completion) {
    submit(name, completion, () -> target.put(range(name, position, target.remaining())));
  }

  /** Checks that the file exists; memory needs no force. */
  @Override
  public void force(String name, Completion completion) {
    submit(name, completion, () -> content(name));
  }

  @Override
  public void delete(String name, Completion completion) {
    submit(
        name,
        completion,
        () -> {
          usedBytes -= content(name).capacity();
          files.remove(name);
        });
  }

  /** Checks that the file exists; its content is mapped already. */
  @Override
  public void map(String name, Completion completion) {
    submit(name, completion, () -> content(name));
  }

  /** Answers for any file, mapped or not: there is no difference here. */
  @Override
  public ByteBuffer mapped(String name) {
    requireOpen();
    ByteBuffer content = files.get(name);
    if (content == null) throw new IllegalStateException(name + " is not mapped");
    return content.duplicate();
  }

  @Override
  public int poll() {
    return answers.poll();
  }

  @Override
  public int pending() {
    return answers.pending();
  }

  /** Returns at once: all requests are answered, and nothing else can become due. */
  @Override
  public void await(long timeoutNanos) {}

  @Override
  public List<FileEntry> list() {
    requireOpen();
    List<FileEntry> entries = new ArrayList<>();
    files.forEach((name, content) -> entries.add(new FileEntry(name, content.capacity())));
    return entries;
  }

  @Override
  public void readNow(String name, long position, ByteBuffer target) throws IOException {
    requireOpen();
    Requests.requirePlainName(name);
    target.put(range(name, position, target.remaining()));
  }

  @Override
  public void scan(String name, long from, long to, int chunkBytes, ScanVisitor visitor)
      throws IOException {
    requireOpen();
    Requests.requirePlainName(name);
    Requests.requireScan(from, to, chunkBytes);
    Requests.requireInside(name, from, to - from, content(name).capacity());
    for (long position = from; position < to; position += chunkBytes) {
      int bytes = (int) Math.min(chunkBytes, to - position);
      visitor.chunk(position, bytes, range(name, position, bytes));
    }
  }

  @Override
  public void close() {
    closed = true;
    answers.abandon();
    files.clear();
    usedBytes = 0;
  }

  private void submit(String name, Completion completion, Outcomes.Operation operation) {
    requireOpen();
    Requests.requirePlainName(name);
    answers.expect();
    Outcome outcome = Outcomes.of(operation);
    answers.answer(() -> completion.completed(outcome));
  }

  private void requireOpen() {
    if (closed) throw new IllegalStateException("closed");
  }

  private void create(String name, long bytes) throws IOException {
    if (files.containsKey(name)) throw new FileAlreadyExistsException(name);
    if (bytes > Requests.MAPPED_BYTES_MAX || bytes > capacityBytes - usedBytes) {
      throw Outcomes.noSpace(name);
    }
    files.put(name, allocate(name, (int) bytes));
    usedBytes += bytes;
  }

  private ByteBuffer allocate(String name, int bytes) throws IOException {
    try {
      return allocator.apply(bytes);
    } catch (OutOfMemoryError full) {
      // An answer instead of an error: the process is fine, only this buffer does not fit.
      IOException noSpace = Outcomes.noSpace(name);
      noSpace.initCause(full);
      throw noSpace;
    }
  }

  private ByteBuffer content(String name) throws NoSuchFileException {
    ByteBuffer content = files.get(name);
    if (content == null) throw new NoSuchFileException(name);
    return content;
  }

  private ByteBuffer range(String name, long position, int bytes) throws IOException {
    ByteBuffer content = content(name);
    Requests.requireInside(name, position, bytes, content.capacity());
    return content.slice((int) position, bytes);
  }
}
