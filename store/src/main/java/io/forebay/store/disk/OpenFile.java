// SPDX-License-Identifier: Apache-2.0

package io.forebay.store.disk;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.NoSuchFileException;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import org.jspecify.annotations.Nullable;

/**
 * One file of a {@link FileDisk} with its channel and its mapping. Any thread: reads, writes and
 * forces run beside each other, while mapping and closing are exclusive.
 */
final class OpenFile {
  private static final VarHandle BYTE = ValueLayout.JAVA_BYTE.varHandle();

  private final String name;
  private final FileChannel channel;
  private final long bytes;
  private final Lock shared;
  private final Lock exclusive;

  private boolean allocated;
  private boolean closed;
  private volatile boolean forceFailed;
  private volatile @Nullable MemorySegment mapping;
  private @Nullable Arena arena;

  /**
   * Takes over an open channel.
   *
   * @param allocated whether every block is known to be allocated, as in a file that was just
   *     created
   */
  OpenFile(String name, FileChannel channel, boolean allocated) throws IOException {
    this.name = name;
    this.channel = channel;
    this.bytes = channel.size();
    this.allocated = allocated;
    ReadWriteLock lock = new ReentrantReadWriteLock();
    this.shared = lock.readLock();
    this.exclusive = lock.writeLock();
  }

  long bytes() {
    return bytes;
  }

  void write(long position, ByteBuffer source) throws IOException {
    ByteBuffer rest = source.duplicate();
    locked(
        shared,
        () -> {
          Requests.requireInside(name, position, rest.remaining(), bytes);
          Allocation.writeFully(channel, position, rest);
        });
    source.position(source.limit());
  }

  void read(long position, ByteBuffer target) throws IOException {
    ByteBuffer rest = target.duplicate();
    locked(
        shared,
        () -> {
          Requests.requireInside(name, position, rest.remaining(), bytes);
          Allocation.readFully(channel, position, rest);
        });
    target.position(target.limit());
  }

  /**
   * After one failure no force of this file succeeds any more: the kernel may have marked the pages
   * it could not write as clean, and would report success for bytes that are nowhere.
   */
  void force() throws IOException {
    locked(
        shared,
        () -> {
          if (forceFailed) throw new IOException(name + ": an earlier force failed");
          try {
            channel.force(false);
          } catch (IOException failure) {
            forceFailed = true;
            throw failure;
          }
        });
  }

  /** Maps the file once; the mapping lives until {@link #unmap}, also when the file is closed. */
  void map() throws IOException {
    locked(
        exclusive,
        () -> {
          if (mapping != null) return;
          if (bytes > Requests.MAPPED_BYTES_MAX) {
            throw new IOException(name + ": " + bytes + " bytes are too many to map");
          }
          if (!allocated) Allocation.fillHoles(channel, bytes);
          allocated = true;
          Arena made = Arena.ofShared();
          try {
            MemorySegment segment = channel.map(FileChannel.MapMode.READ_WRITE, 0, bytes, made);
            touch(segment);
            mapping = segment;
            arena = made;
          } finally {
            if (mapping == null) made.close();
          }
        });
  }

  /** Ends the mapping, if there is one, unless it is being read just now; says whether it did. */
  boolean unmap() {
    exclusive.lock();
    try {
      Arena mapped = arena;
      if (mapped != null) mapped.close();
      arena = null;
      mapping = null;
      return true;
    } catch (IllegalStateException read) {
      // An arena reports this when a socket or a channel is reading from it.
      return false;
    } finally {
      exclusive.unlock();
    }
  }

  /** A view of its own, if the file is mapped. */
  @Nullable ByteBuffer mapped() {
    MemorySegment segment = mapping;
    return segment == null ? null : segment.asByteBuffer();
  }

  /** Waits for running requests, then closes; later requests find the file missing. */
  void close() throws IOException {
    locked(
        exclusive,
        () -> {
          closed = true;
          channel.close();
        });
  }

  /**
   * Takes page faults now instead of at later stores. The byte is written back as a volatile: the
   * compiler removes a plain store of what was just loaded, and a page that was only read faults
   * again on its first store.
   */
  private void touch(MemorySegment segment) throws IOException {
    try {
      for (long page = 0; page < bytes; page += Allocation.PAGE_BYTES) {
        BYTE.setVolatile(segment, page, (byte) BYTE.getVolatile(segment, page));
      }
    } catch (InternalError fault) {
      // The virtual machine reports this for a page that the device could not read.
      throw new IOException(name + ": a mapped page cannot be touched", fault);
    }
  }

  private void locked(Lock lock, Outcomes.Operation operation) throws IOException {
    lock.lock();
    try {
      if (closed) throw new NoSuchFileException(name);
      operation.run();
    } finally {
      lock.unlock();
    }
  }
}
