// SPDX-License-Identifier: Apache-2.0

package io.forebay.drain.reorder;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.drain.Seeds;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

class OffsetSortTest {
  @Test
  void sortsWhateverTheOffsetsHaveInCommon() {
    Seeds.run(1_000, OffsetSortTest::compare);
  }

  private static void compare(Random random) {
    int bits = 1 + random.nextInt(62);
    long mask = ((1L << bits) - 1) << random.nextInt(63 - bits);
    long common = random.nextLong() & Long.MAX_VALUE & ~mask;
    int numbersMax = 3_000 + random.nextInt(1 << random.nextInt(30));
    OffsetSort sort = OffsetSort.of(common, mask, numbersMax);
    for (int use = 0; use < 3; use++) {
      int count = random.nextInt(random.nextBoolean() ? 60 : 3_000);
      compare(sort, count, () -> common | (random.nextLong() & mask), numbersMax - count);
    }
  }

  private interface Offsets {
    long next();
  }

  private static void compare(OffsetSort sort, int count, Offsets source, int firstNumber) {
    long[] offsets = new long[count];
    sort.begin(count);
    for (int i = 0; i < count; i++) {
      offsets[i] = source.next();
      sort.add(offsets[i], firstNumber + i);
    }
    sort.sort();
    long[] sorted = new long[count];
    long[] ofNumbers = new long[count];
    for (int i = 0; i < count; i++) {
      sorted[i] = sort.offset(i);
      ofNumbers[i] = offsets[sort.number(i) - firstNumber];
    }
    Arrays.sort(offsets);
    assertThat(Arrays.mismatch(sorted, offsets)).isEqualTo(-1);
    assertThat(Arrays.mismatch(ofNumbers, offsets)).isEqualTo(-1);
  }

  @Test
  void onlyWhatDoesNotFitIsSortedByDigits() {
    assertThat(OffsetSort.of(0, (1L << 39) - 1, (1 << 24) - 1)).isInstanceOf(PackedSort.class);
    assertThat(OffsetSort.of(0, (1L << 39) - 1, 1 << 24)).isInstanceOf(DigitSort.class);
    assertThat(OffsetSort.of(0, ((1L << 39) - 1) << 12, (1 << 24) - 1))
        .isInstanceOf(PackedSort.class);
    assertThat(OffsetSort.of(7, 0, 0)).isInstanceOf(PackedSort.class);
  }
}
