// SPDX-License-Identifier: Apache-2.0

package io.forebay.store.index;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.base.FileId;
import io.forebay.base.RecordId;
import io.forebay.store.log.RecordHeader;
import io.forebay.testing.TestSeed;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class EntriesByFileTest {
  private static final int ENTRIES = 20_000;

  private final RecordTable table = new RecordTable();
  private final Map<FileId, List<Integer>> expected = new HashMap<>();

  private List<Integer> found(FileId file) {
    List<Integer> entries = new ArrayList<>();
    table.entriesOf(file, entries::add);
    return entries;
  }

  @Test
  void entriesOfEveryFileAreFoundWhileOthersCome() {
    long seed = TestSeed.first("EntriesByFileTest");
    SplittableRandom random = new SplittableRandom(seed);
    System.out.println("EntriesByFileTest: -Dforebay.seed=" + seed);
    for (int i = 0; i < ENTRIES; i++) {
      // Some numbers are used by two instances, and some differ in their high bits only.
      long number = random.nextInt(500) | ((long) random.nextInt(3) << 40);
      FileId file = new FileId(1 + random.nextInt(2), number);
      RecordHeader header = RecordHeader.data(new RecordId(1, i), file, 0, 1, 10);
      expected
          .computeIfAbsent(file, each -> new ArrayList<>())
          .add(table.add(header, i, RecordTable.State.LIVE));
      if (random.nextInt(10) == 0) {
        assertThat(found(file)).containsExactlyInAnyOrderElementsOf(expected.get(file));
      }
    }
    table.trim();
    expected.forEach(
        (file, entries) -> assertThat(found(file)).containsExactlyInAnyOrderElementsOf(entries));
    assertThat(found(new FileId(3, 1))).isEmpty();
    assertThat(found(new FileId(1, 1L << 50))).isEmpty();
  }

  @Test
  void anEmptyTableHasNothing() {
    assertThat(found(new FileId(1, 1))).isEmpty();
  }
}
