// SPDX-License-Identifier: Apache-2.0

package io.forebay.store.index;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class JournalIndexTest {
  private final JournalIndex journals = new JournalIndex();
  private final List<Long> removed = new ArrayList<>();

  @Test
  void theHighestEpochCountsWhateverComesFirst() {
    assertThat(journals.put(1, 3, 10, 100)).isEqualTo(JournalIndex.ABSENT);
    assertThat(journals.put(1, 2, 10, 200)).isEqualTo(200);
    assertThat(journals.put(1, 4, 10, 300)).isEqualTo(100);
    assertThat(journals.location(1, 10)).isEqualTo(300);
    assertThat(journals.epoch(1, 10)).isEqualTo(4);
  }

  @Test
  void headAndTailGoAndTheEndsMove() {
    for (long i = 5; i < 1000; i++) journals.put(7, i < 500 ? 1 : 2, i, i * 10);
    journals.removeHead(7, 300, removed::add);
    assertThat(removed).hasSize(295);
    assertThat(journals.first(7)).isEqualTo(300);
    removed.clear();
    journals.removeTail(7, 2, 400, removed::add);
    assertThat(removed).hasSize(100);
    assertThat(journals.location(7, 450)).isEqualTo(JournalIndex.ABSENT);
    assertThat(journals.location(7, 500)).isEqualTo(5000);
    assertThat(journals.last(7)).isEqualTo(999);
    journals.removeTail(7, 9, 0, removed::add);
    assertThat(journals.first(7)).isEqualTo(JournalIndex.ABSENT);
    assertThat(journals.journals()).isEmpty();
  }

  @Test
  void entriesFarApartCostLittle() {
    journals.put(1, 1, 0, 1);
    journals.put(1, 1, 1L << 50, 2);
    assertThat(journals.first(1)).isZero();
    assertThat(journals.last(1)).isEqualTo(1L << 50);
    journals.removeHead(1, 0, removed::add);
    assertThat(removed).isEmpty();
  }
}
