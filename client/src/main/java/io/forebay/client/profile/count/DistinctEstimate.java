// SPDX-License-Identifier: Apache-2.0

package io.forebay.client.profile.count;

/**
 * How many different numbers there were, by linear counting: a bit for each hash. Within a few
 * percent up to 50,000; beyond 100,000 a lower bound. One owner.
 */
final class DistinctEstimate {
  private static final int BITS = 1 << 14;

  /** Of the 64-bit mixing function of MurmurHash3, so that numbers in a row spread. */
  private static final long MIX_1 = 0xff51afd7ed558ccdL;

  private static final long MIX_2 = 0xc4ceb9fe1a85ec53L;
  private static final int SHIFT = 33;

  private final long[] bits = new long[BITS / Long.SIZE];
  private int set;

  void add(long number) {
    long mixed = (number ^ (number >>> SHIFT)) * MIX_1;
    mixed = (mixed ^ (mixed >>> SHIFT)) * MIX_2;
    int bit = (int) ((mixed ^ (mixed >>> SHIFT)) & (BITS - 1));
    long mask = 1L << bit;
    if ((bits[bit / Long.SIZE] & mask) != 0) return;
    bits[bit / Long.SIZE] |= mask;
    set++;
  }

  long count() {
    double free = Math.max(1, BITS - set);
    return Math.round(BITS * Math.log(BITS / free));
  }
}
