// SPDX-License-Identifier: Apache-2.0

package io.forebay.bench.store;

import io.forebay.bench.Rounds;
import java.util.SplittableRandom;

/**
 * Random reads from one plain array of the same size as an index: the effect of the machine's
 * caches alone on growing sizes.
 */
final class PlainReadTrial implements Rounds.Trial<Double> {
  /** About what an entry takes. */
  static final int ENTRY_BYTES = 40;

  private static final int ENTRY_WORDS = ENTRY_BYTES / Long.BYTES;

  private final int count;
  private final int operations;
  private final long seed;
  private long read;

  PlainReadTrial(int count, int operations, long seed) {
    this.count = count;
    this.operations = operations;
    this.seed = seed;
  }

  @Override
  public Double measure() {
    long[] words = new long[count * ENTRY_WORDS];
    for (int i = 0; i < words.length; i++) words[i] = i;
    HeapPages.collectBefore(count);
    SplittableRandom random = new SplittableRandom(seed);
    long start = System.nanoTime();
    // Each index depends on the value read before, so that no two reads overlap.
    for (int i = 0; i < operations; i++) {
      read = words[random.nextInt(count) * ENTRY_WORDS + (int) (read & 1)];
    }
    return (double) (System.nanoTime() - start) / operations;
  }
}
