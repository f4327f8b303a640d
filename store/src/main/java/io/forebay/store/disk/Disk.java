// SPDX-License-Identifier: Apache-2.0

package io.forebay.store.disk;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * One flat directory of fixed-size files, worked on asynchronously. Every request is carried out
 * asynchronously and answered by its {@link Completion}, which runs inside {@link #poll} on the
 * thread that owns the disk. Requests have no order: an owner that needs one waits for each answer
 * before it sends the next.
 *
 * <p>A file is created once, at its final size with every byte allocated, and then only
 * overwritten. The bytes of a completed write survive the death of the process; bytes written
 * before a completed force survive a power cut, unless the disk is in memory.
 *
 * <p>Buffers given to a request belong to the disk until it is answered. A request for an unknown
 * file, or one outside its file, is answered with a failure like any other.
 */
public interface Disk extends AutoCloseable {
  /** The results of a request. */
  sealed interface Outcome {
    record Success() implements Outcome {
      public static final Success DONE = new Success();
    }

    record Failure(Reason reason, String detail) implements Outcome {}

    default boolean succeeded() {
      return this instanceof Success;
    }
  }

  enum Reason {
    /** The device refused or broke: EIO and its kin. */
    IO,
    /** No room for what should be allocated. */
    NO_SPACE,
    /** No such file, or it is too short for the request. */
    MISSING,
    /** The file to be created exists already. */
    EXISTS
  }

  /** Called once, from {@link #poll}. */
  interface Completion {
    void completed(Outcome outcome);
  }

  record FileEntry(String name, long bytes) {}

  /**
   * Creates a file of that size, filled with zeros and really allocated: later writes inside it
   * need no further space. After a failure the file is not there.
   */
  void create(String name, long bytes, Completion completion);

  /** Writes all of the buffer's remaining bytes at a position inside the file. */
  void write(String name, long position, ByteBuffer source, Completion completion);

  /** Fills the buffer's remaining bytes from a position inside the file. */
  void read(String name, long position, ByteBuffer target, Completion completion);

  /** Makes durable every write to the file that was answered before this request. */
  void force(String name, Completion completion);

  /**
   * Removes the file. Its mapping, if any, ends with it: views of it must not be used any more.
   * What a socket reads from it at that moment is read to its end.
   */
  void delete(String name, Completion completion);

  /**
   * Maps the whole file, at most 1 GiB, and touches every page so that later stores do not fault.
   * After success {@link #mapped} gives the buffer; stores into it are the file's bytes.
   */
  void map(String name, Completion completion);

  /** The shared mapping of a file that was mapped: a view of its own, big-endian, whole. */
  ByteBuffer mapped(String name);

  /** Runs the completions that are due on the caller's thread and says how many there were. */
  int poll();

  /** Requests not yet answered. */
  int pending();

  /**
   * Waits until a completion is due, at most this long; for owners with nothing else to wait for.
   */
  void await(long timeoutNanos) throws InterruptedException;

  /**
   * The files there are, by name. Blocks: for recovery and inspection, before the owner's loop
   * runs.
   */
  List<FileEntry> list() throws IOException;

  /** Reads now, filling the buffer's remaining bytes. Blocks: for recovery and inspection. */
  void readNow(String name, long position, ByteBuffer target) throws IOException;

  /**
   * Reads a range of a file in order, in chunks of at most the given size, reading ahead while the
   * visitor works. Blocks: for recovery and inspection. A chunk that cannot be read is passed as
   * null, and the scan continues after it.
   */
  void scan(String name, long from, long to, int chunkBytes, ScanVisitor visitor)
      throws IOException;

  /** Sees the chunks of a scan in order. The buffer is valid until it returns. */
  interface ScanVisitor {
    void chunk(long position, int bytes, @org.jspecify.annotations.Nullable ByteBuffer chunk);
  }

  /** Drops pending requests, without answers, and releases all resources. */
  @Override
  void close();
}
