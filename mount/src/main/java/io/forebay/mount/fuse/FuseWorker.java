// SPDX-License-Identifier: Apache-2.0

package io.forebay.mount.fuse;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import io.forebay.mount.fuse.library.FuseLayouts;
import io.forebay.mount.fuse.operation.RequestBytes;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;

/** A thread of a session: takes a request from the kernel, handles it, and takes the next. */
final class FuseWorker extends Thread {
  /** The beginning of each request: its length, and what it is. */
  private static final long OPCODE = Integer.BYTES;

  private static final long HEADER_BYTES = OPCODE + Integer.BYTES;
  private static final long BUF_MEM = FuseLayouts.at(FuseLayouts.BUF, "mem");

  private final FuseSession session;
  private final RequestBuffers buffers;
  private final Scratch scratch = new Scratch();
  private final RequestTimes times = new RequestTimes();
  private final Arena arena = Arena.ofAuto();
  private final MemorySegment buffer = arena.allocate(FuseLayouts.BUF);

  FuseWorker(FuseSession session, RequestBuffers buffers, String name) {
    super(name);
    this.session = session;
    this.buffers = buffers;
    // A process that has to end must not wait for requests that never come.
    setDaemon(true);
  }

  /** The worker that runs the calling upcall. */
  static FuseWorker current() {
    return (FuseWorker) Thread.currentThread();
  }

  Scratch scratch() {
    return scratch;
  }

  RequestTimes times() {
    return times;
  }

  /** The kind of the request that was received. */
  @SuppressWarnings("restricted") // Processes are started with native access.
  RequestKind kind() {
    return RequestKind.of(
        MemorySegment.ofAddress(memory()).reinterpret(HEADER_BYTES).get(JAVA_INT, OPCODE));
  }

  @Override
  public void run() {
    try {
      while (session.next(this)) {
        // All is done inside.
      }
    } finally {
      buffers.giveBack(memory());
      session.ended(this);
    }
  }

  /** The buffer of the next request. */
  MemorySegment buffer() {
    if (memory() == 0) buffer.set(ADDRESS, BUF_MEM, MemorySegment.ofAddress(buffers.take()));
    return buffer;
  }

  private long memory() {
    return buffer.get(ADDRESS, BUF_MEM).address();
  }

  /** The bytes of the write that this thread is doing. */
  RequestBytes bytes(MemorySegment bytes) {
    return new Held(bytes.asByteBuffer());
  }

  private final class Held implements RequestBytes {
    private final ByteBuffer bytes;

    Held(ByteBuffer bytes) {
      this.bytes = bytes;
    }

    @Override
    public ByteBuffer bytes() {
      return bytes;
    }

    @Override
    public Runnable keep() {
      buffers.keep();
      long address = memory();
      buffer.set(ADDRESS, BUF_MEM, MemorySegment.NULL);
      return () -> buffers.release(address);
    }
  }
}
