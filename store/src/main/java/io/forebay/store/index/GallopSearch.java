// SPDX-License-Identifier: Apache-2.0

package io.forebay.store.index;

/**
 * Finds a key among sorted ones, starting where it would be if they were evenly spaced. Files are
 * mostly written in pieces of one size, so the first look hits, where a binary search would miss
 * the cache at each of its steps. From a wrong guess the search gallops in doubling steps, so that
 * no spacing costs more than about twice a binary search.
 */
final class GallopSearch {
  private GallopSearch() {}

  /** The index at which a key is expected among {@code count} keys spread over a range. */
  static int guess(long key, long low, long high, int count) {
    int index = (int) ((double) (key - low) / (double) (high - low) * count);
    return Math.clamp(index, 0, count - 1);
  }

  /**
   * The index of the last key that is not above the given one, or -1.
   *
   * @param words the keys, one every {@code stride} words
   * @param guess any valid index
   */
  static int floor(long[] words, int stride, int count, long key, int guess) {
    int low = guess;
    int high = guess;
    int step = 1;
    if (words[guess * stride] <= key) {
      for (high++; high < count && words[high * stride] <= key; high += step, step *= 2) low = high;
      high = Math.min(high, count);
    } else {
      for (low--; low >= 0 && words[low * stride] > key; low -= step, step *= 2) high = low;
      low = Math.max(low, -1);
    }
    while (high - low > 1) {
      int middle = (low + high) >>> 1;
      if (words[middle * stride] <= key) low = middle;
      else high = middle;
    }
    return low;
  }
}
