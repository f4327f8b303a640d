// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.drain.chunk;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;

/**
 * The memory of the shuffle: slabs of equal length, made when they are first needed and used again
 * and again. How many are out at a time is for {@link io.forebay.drain.pace.ShuffleBudget} to say.
 * A slab comes back only when nobody writes to it any more, neither a late answer of another seat
 * nor the backing store.
 */
final class Slabs {
  /** Long enough for the pieces of most files, short enough that little of it stays unused. */
  private static final int SLAB_BYTES_MAX = 1 << 20;

  private static final int SLAB_BYTES_MIN = 64 << 10;

  /** A budget is at least so many slabs, unless they would be very short. */
  private static final int SLABS_MIN = 128;

  /** For what nobody has written; read only, so that all can share it. */
  private static final ByteBuffer ZEROS =
      ByteBuffer.allocateDirect(SLAB_BYTES_MIN).asReadOnlyBuffer();

  private final int slabBytes;
  private final int keptMax;
  private final ArrayDeque<ByteBuffer> free = new ArrayDeque<>();
  private int out;
  private int mostSlabs;

  /**
   * None are made yet.
   *
   * @param keptBytes so much stays for later when nobody needs it
   */
  Slabs(long keptBytes) {
    this.slabBytes =
        Math.clamp(Long.highestOneBit(keptBytes / SLABS_MIN), SLAB_BYTES_MIN, SLAB_BYTES_MAX);
    this.keptMax = (int) Math.max(1, keptBytes / slabBytes);
  }

  /** The length of the slabs that so many bytes need, whatever they are cut into. */
  int roundedUp(int bytes) {
    return Math.ceilDiv(bytes, slabBytes) * slabBytes;
  }

  /** A slab of {@link #slabBytes}; what it held before is still in it. */
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

  /** Some zeros, at most so many; as often as needed. */
  static ByteBuffer zeros(int bytes) {
    return ZEROS.duplicate().limit(Math.min(bytes, ZEROS.capacity()));
  }

  /** The most memory that there was at a time. */
  long mostBytes() {
    return (long) mostSlabs * slabBytes;
  }
}
