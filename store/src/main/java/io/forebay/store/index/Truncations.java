// SPDX-License-Identifier: Apache-2.0

package io.forebay.store.index;

import java.util.Arrays;

/**
 * The truncations of a file that still matter to extents published before them. An extent may
 * arrive late; then every truncation after its publish must still cut it. Only truncations to less
 * than all later ones are kept. So sizes increase with publish numbers, and the first truncation
 * that is not older than an extent cuts it most.
 *
 * <p>Beyond {@link #KEPT_MAX} the two oldest are joined: the earlier's size up to the later's
 * number. That cuts extents between the two too short if they arrive for the first time. It is
 * exact if they are duplicates: the part that was not cut is in the directory already.
 */
final class Truncations {
  static final int KEPT_MAX = 32;

  /** The limit of an extent that no truncation cuts. */
  static final long UNLIMITED = Long.MAX_VALUE;

  private static final int FIELD_BYTES = Integer.BYTES + 2 * HeapBytes.REFERENCE;
  private static final int INITIAL_CAPACITY = 1;

  private long[] publishes = new long[INITIAL_CAPACITY];
  private long[] sizes = new long[INITIAL_CAPACITY];
  private int count;

  /** The size to which an extent of this publish number is cut. */
  long limitBytes(long publish) {
    long limit = UNLIMITED;
    for (int i = count - 1; i >= 0 && publishes[i] >= publish; i--) limit = sizes[i];
    return limit;
  }

  /** Whether a truncation of this number, or a later one, is known. */
  boolean covers(long publish) {
    return count > 0 && publish <= publishes[count - 1];
  }

  /** Adds a truncation later than all before. */
  void add(long publish, long sizeBytes) {
    while (count > 0 && sizes[count - 1] >= sizeBytes) count--;
    if (count == KEPT_MAX) joinOldest();
    if (count == sizes.length) {
      publishes = Arrays.copyOf(publishes, count * 2);
      sizes = Arrays.copyOf(sizes, count * 2);
    }
    publishes[count] = publish;
    sizes[count] = sizeBytes;
    count++;
  }

  private void joinOldest() {
    System.arraycopy(publishes, 1, publishes, 0, count - 1);
    System.arraycopy(sizes, 2, sizes, 1, count - 2);
    count--;
  }

  long memoryBytes() {
    return HeapBytes.object(FIELD_BYTES)
        + HeapBytes.array(publishes.length, Long.BYTES)
        + HeapBytes.array(sizes.length, Long.BYTES);
  }
}
