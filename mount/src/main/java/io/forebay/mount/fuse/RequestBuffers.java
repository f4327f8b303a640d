// SPDX-License-Identifier: Apache-2.0

package io.forebay.mount.fuse;

import io.forebay.mount.fuse.library.LibC;
import java.util.ArrayDeque;

/**
 * The memory that libfuse reads requests into. Each thread has one piece of it; a write that is
 * kept longer than its request keeps the piece, and the thread continues with another. libfuse
 * allocates the pieces, so that they have the size it wants. Any thread.
 */
final class RequestBuffers {
  private final int keptMax;
  private final ArrayDeque<Long> free = new ArrayDeque<>();
  private int kept;
  private boolean closed;

  RequestBuffers(int keptMax) {
    this.keptMax = keptMax;
  }

  /** The address of memory for the next request, or 0: libfuse takes fresh memory then. */
  synchronized long take() {
    Long address = free.pollFirst();
    return address == null ? 0 : address;
  }

  /** Memory stays in use though its request is answered; waits while too much is. */
  synchronized void keep() {
    boolean interrupted = false;
    while (kept >= keptMax) {
      try {
        wait();
      } catch (InterruptedException e) {
        // Kept pieces come back in bounded time: every write ends.
        interrupted = true;
      }
    }
    kept++;
    if (interrupted) Thread.currentThread().interrupt();
  }

  /** It is in use no longer. */
  synchronized void release(long address) {
    kept--;
    notifyAll();
    giveBack(address);
  }

  synchronized void giveBack(long address) {
    if (address == 0) return;
    if (closed) LibC.free(address);
    else free.addFirst(address);
  }

  synchronized void close() {
    closed = true;
    for (long address : free) LibC.free(address);
    free.clear();
  }
}
