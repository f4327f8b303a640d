// SPDX-License-Identifier: Apache-2.0

package io.forebay.store.index;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.base.RecordId;
import io.forebay.testing.TestSeed;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** The tree beside a sorted map, through growth and shrinking over three levels. */
final class ExtentTreeTest {
  private static final String SEED_PROPERTY = "forebay.seed";
  private static final int OFFSETS = 1 << 20;

  /** Enough for more leaves than one inner node can lead to. */
  private static final int EXTENTS = 2 * Node.ENTRIES_MAX * Node.ENTRIES_MAX;

  private final ExtentTree tree = new ExtentTree();
  private final SourceTable sources = new SourceTable();
  private final ExtentCursor cursor = new ExtentCursor(tree, sources);
  private final TreeMap<Long, Long> expected = new TreeMap<>();

  @Test
  void growsAndShrinksAsASortedMap() {
    long seed = TestSeed.first("ExtentTreeTest");
    try {
      run(new Random(seed));
    } catch (AssertionError | RuntimeException e) {
      throw new AssertionError("failed with -D" + SEED_PROPERTY + "=" + seed, e);
    }
  }

  private void run(Random random) {
    sources.add(1, 1);
    for (int i = 0; i < EXTENTS; i++) insert(random.nextInt(OFFSETS));
    compare();
    // Removing from one side, then at random, empties nodes on the edges and amidst full ones.
    for (long offset = OFFSETS / 4; offset < OFFSETS / 2; offset++) {
      if (expected.containsKey(offset)) remove(offset);
    }
    compare();
    while (expected.size() > Node.ENTRIES_MAX * 2) {
      remove(expected.ceilingKey((long) random.nextInt(expected.lastKey().intValue() + 1)));
      if (random.nextInt(3) == 0) insert(random.nextInt(OFFSETS));
      if (random.nextInt(20_000) == 0) cutEnd(random);
    }
    compare();
    while (!expected.isEmpty()) remove(expected.lastKey());
    compare();
  }

  private void insert(long offset) {
    if (expected.putIfAbsent(offset, offset * 3) != null) return;
    Extent extent = new Extent(offset, 1, new RecordId(1, offset * 3), 0, 1, 1, 1);
    if (offset >= tree.endOffset()) tree.append(extent, 0);
    else tree.insert(extent, 0);
  }

  private void remove(long offset) {
    expected.remove(offset);
    tree.remove(offset);
  }

  private void cutEnd(Random random) {
    long last = expected.lastKey();
    long from = last - random.nextInt(OFFSETS / 20);
    expected.tailMap(from, true).clear();
    tree.removeFrom(Math.max(0, from), cursor);
    compare();
  }

  private void compare() {
    ExtentTreeInvariants.check(tree);
    assertThat(tree.extents()).isEqualTo(expected.size());
    boolean found = cursor.seek(0);
    for (Map.Entry<Long, Long> entry : expected.entrySet()) {
      if (!found || cursor.offset() != entry.getKey() || cursor.sequence() != entry.getValue()) {
        throw new AssertionError("extent at " + entry.getKey() + " not found");
      }
      found = cursor.next();
    }
    assertThat(found).isFalse();
    for (long offset = 0; offset < OFFSETS; offset += 997) {
      Long floor = expected.floorKey(offset);
      assertThat(tree.floor(offset, cursor)).isEqualTo(floor != null);
      if (floor != null) assertThat(cursor.offset()).isEqualTo(floor);
    }
  }
}
