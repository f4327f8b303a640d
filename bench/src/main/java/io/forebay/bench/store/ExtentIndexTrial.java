// SPDX-License-Identifier: Apache-2.0

package io.forebay.bench.store;

import io.forebay.base.RecordId;
import io.forebay.bench.Rounds;
import io.forebay.store.index.Extent;
import io.forebay.store.index.ExtentCursor;
import io.forebay.store.index.ExtentDirectory;
import io.forebay.store.index.Superseded;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * Measures the directory of a file that several writers share: neighbouring extents come from
 * different sessions, and come in the order of their offsets or shuffled.
 */
final class ExtentIndexTrial implements Rounds.Trial<IndexCost> {
  private static final int EXTENT_BYTES = 4 * Scale.KIB;
  private static final int WRITERS = 16;
  private static final int GROUPS = 4;

  /** Extents that one publish brings. */
  private static final int PUBLISHED_TOGETHER = 1000;

  private final int count;
  private final int operations;
  private final long seed;
  private final int @Nullable [] shuffled;
  private long found;

  ExtentIndexTrial(int count, int operations, long seed, boolean shuffled) {
    this.count = count;
    this.operations = operations;
    this.seed = seed;
    this.shuffled = shuffled ? permutation(count, seed) : null;
  }

  @Override
  public IndexCost measure() {
    int builds = Math.max(1, operations / count);
    ExtentDirectory directory = new ExtentDirectory();
    HeapPages.collectBefore(count);
    long start = System.nanoTime();
    for (int i = 0; i < builds; i++) directory = build();
    long built = System.nanoTime();
    find(directory);
    long end = System.nanoTime();
    return new IndexCost(
        (double) directory.memoryBytes() / count,
        (double) (built - start) / ((long) builds * count),
        (double) (end - built) / operations);
  }

  private ExtentDirectory build() {
    ExtentDirectory directory = new ExtentDirectory();
    Superseded none = new NothingSuperseded();
    for (int i = 0; i < count; i++) {
      int place = shuffled == null ? i : shuffled[i];
      int writer = place % WRITERS;
      directory.publish(
          new Extent(
              (long) place * EXTENT_BYTES,
              EXTENT_BYTES,
              new RecordId(writer, place / WRITERS),
              0,
              EXTENT_BYTES,
              1 + i / PUBLISHED_TOGETHER,
              writer % GROUPS),
          none);
    }
    if (directory.extents() != count) throw new IllegalStateException("extents are missing");
    return directory;
  }

  private void find(ExtentDirectory directory) {
    SplittableRandom random = new SplittableRandom(seed);
    ExtentCursor cursor = directory.cursor();
    long fileBytes = (long) count * EXTENT_BYTES;
    for (int i = 0; i < operations; i++) {
      if (cursor.find(random.nextLong(fileBytes))) found += cursor.sequence() | 1;
    }
    if (found == 0) throw new IllegalStateException("nothing found");
  }

  private static int[] permutation(int count, long seed) {
    int[] places = new int[count];
    SplittableRandom random = new SplittableRandom(seed);
    for (int i = 0; i < count; i++) {
      int other = random.nextInt(i + 1);
      places[i] = places[other];
      places[other] = i;
    }
    return places;
  }

  private static final class NothingSuperseded implements Superseded {
    @Override
    public void superseded(RecordId record, long offset, int lengthBytes) {
      throw new IllegalStateException("extents overlap at " + offset);
    }

    @Override
    public void orphaned(RecordId record, int group) {
      throw new IllegalStateException("orphaned " + record);
    }
  }
}
