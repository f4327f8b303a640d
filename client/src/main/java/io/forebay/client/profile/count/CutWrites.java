// SPDX-License-Identifier: Apache-2.0

package io.forebay.client.profile.count;

/**
 * Finds the writes of a process in a file that the kernel has cut: with its page cache it ends the
 * first request of a write at the end of a page. A piece that ends there, and did not begin a page,
 * is held back; if the next one follows it, and both together are as long as the write before, or
 * as the last two such pieces, they are one. One owner.
 */
final class CutWrites {
  private long heldOffset;
  private long heldBytes;
  private long usualBytes;
  private long lastSumBytes;

  /** Whether a piece is held back. */
  boolean holds() {
    return heldBytes > 0;
  }

  long heldOffset() {
    return heldOffset;
  }

  long heldBytes() {
    return heldBytes;
  }

  void letGo() {
    heldBytes = 0;
  }

  /** Whether a request continues the piece that is held back. */
  boolean continues(long offset, long lengthBytes) {
    if (offset != heldOffset + heldBytes) return false;
    long sum = heldBytes + lengthBytes;
    boolean one = sum == usualBytes || sum == lastSumBytes;
    lastSumBytes = sum;
    return one;
  }

  /** Holds a request back if it may be the first piece of a write. */
  boolean hold(long offset, long lengthBytes) {
    boolean begins = offset % Accesses.PAGE_BYTES == 0;
    boolean ends = (offset + lengthBytes) % Accesses.PAGE_BYTES == 0;
    if (begins || !ends || lengthBytes >= Accesses.PAGE_BYTES || lengthBytes == usualBytes) {
      usualBytes = lengthBytes;
      return false;
    }
    heldOffset = offset;
    heldBytes = lengthBytes;
    return true;
  }

  /** A whole write, also one that was cut. */
  void whole(long lengthBytes) {
    usualBytes = lengthBytes;
  }
}
