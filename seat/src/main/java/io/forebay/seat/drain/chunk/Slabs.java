// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.drain.chunk;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;

/**
 * The memory of the shuffle: slabs of equal length, allocated at their first use and then reused.
 * {@link io.forebay.drain.pace.ShuffleBudget} bounds how many are in use. A slab is returned only
 * when neither a late answer of another seat writes to it nor the backing store reads from it.
 */
final class Slabs {
  /** Long enough for the pieces of most files, short enough that little of it stays unused. */
  private static final int SLAB_BYTES_MAX = 1 << 20;

  private static final int SLAB_BYTES_MIN = 64 << 10;

  /** The minimum number of slabs of a budget, unless they would be very short. */
  private static final int SLABS_MIN = 128;

  /** For unwritten bytes; read only, so that all can share it. */
  private static final ByteBuffer ZEROS =
      ByteBuffer.allocateDirect(SLAB_BYTES_MIN).asReadOnlyBuffer();

  private final int slabBytes;
  private final int keptMax;
  private final ArrayDeque<ByteBuffer> free = new ArrayDeque<>();
  private int out;
  private int mostSlabs;

  /**
   * No slabs yet.
   *
   * @param keptBytes the memory that is kept when it is not in use
   */
  Slabs(long keptBytes) {
    this.slabBytes =
        Math.clamp(Long.highestOneBit(keptBytes / SLABS_MIN), SLAB_BYTES_MIN, SLAB_BYTES_MAX);
    this.keptMax = (int) Math.max(1, keptBytes / slabBytes);
  }

  /** The length of the slabs for this many bytes, however they are cut. */
  int roundedUp(int bytes) {
    return Math.ceilDiv(bytes, slabBytes) * slabBytes;
  }

  /** A slab of {@link #slabBytes}; its old content is still in it. */
  ByteBuffer take() {
    ByteBuffer slab = free.poll();
    out++;
    mostSlabs = Math.max(mostSlabs, out + free.size());
    return slab == null ? ByteBuffer.allocateDirect(slabBytes) : slab.clear();
  }

  void give(ByteBuffer slab) {
    if (slab.capacity() != slabBytes || out == 0) throw new IllegalStateException("not from here");
    out--;
    // More than usual was out for one very large write.
    if (free.size() + out < keptMax) free.push(slab);
  }

  /** Zeros, at most this many; callers repeat as needed. */
  static ByteBuffer zeros(int bytes) {
    return ZEROS.duplicate().limit(Math.min(bytes, ZEROS.capacity()));
  }

  /** The most memory that there was at a time. */
  long mostBytes() {
    return (long) mostSlabs * slabBytes;
  }
}
