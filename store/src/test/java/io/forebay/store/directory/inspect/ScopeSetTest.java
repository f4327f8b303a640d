// SPDX-License-Identifier: Apache-2.0

package io.forebay.store.directory.inspect;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.base.FileId;
import io.forebay.base.RecordId;
import io.forebay.store.index.RecordTable;
import io.forebay.store.log.RecordHeader;
import io.forebay.store.log.Scope;
import io.forebay.testing.TestSeed;
import java.util.BitSet;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Ranges that overlap name the same records as one by one. */
final class ScopeSetTest {
  private static final int SEQUENCES = 200;
  private static final FileId FILE = new FileId(1, 2);

  private static RecordTable table(long session, FileId file) {
    RecordTable table = new RecordTable();
    for (int i = 0; i < SEQUENCES; i++) {
      RecordHeader record = RecordHeader.data(new RecordId(session, i), file, 0, 1);
      table.add(record, i * 128, RecordTable.State.LIVE);
    }
    return table;
  }

  @Test
  void rangesAreTheirUnion() {
    long seed = TestSeed.first("ScopeSetTest");
    System.out.println("ScopeSetTest: -Dforebay.seed=" + seed);
    SplittableRandom random = new SplittableRandom(seed);
    RecordTable table = table(5, FILE);
    for (int round = 0; round < 200; round++) {
      ScopeSet set = new ScopeSet();
      BitSet model = new BitSet();
      for (int range = random.nextInt(1, 20); range > 0; range--) {
        int from = random.nextInt(SEQUENCES);
        int to = Math.min(SEQUENCES - 1, from + random.nextInt(20));
        set.add(new Scope.Records(5, from, to));
        model.set(from, to + 1);
      }
      for (int i = 0; i < SEQUENCES; i++) {
        assertThat(set.contains(table, i)).as("sequence %d", i).isEqualTo(model.get(i));
      }
    }
  }

  @Test
  void filesAndInstancesAreWhole() {
    ScopeSet set = new ScopeSet();
    set.add(new Scope.WholeFile(FILE));
    set.add(new Scope.WholeInstance(9));
    set.add(new Scope.Records(6, 3, 2));
    set.add(new Scope.JournalHead(5, 100));
    assertThat(set.contains(table(1, FILE), 0)).isTrue();
    assertThat(set.contains(table(1, new FileId(1, 3)), 0)).isFalse();
    assertThat(set.contains(table(1, new FileId(9, 3)), 0)).isTrue();
    assertThat(set.contains(table(6, new FileId(2, 2)), 2)).isFalse();
  }
}
