package io.forebay.drain.reorder;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.drain.Seeds;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

class OffsetSortTest {
  @Test
  void sortsWhateverTheOffsetsHaveInCommon() {
    OffsetSort sort = new OffsetSort();
    Seeds.run(500, random -> compare(sort, random));
  }

  private static void compare(OffsetSort sort, Random random) {
    int count = random.nextInt(random.nextBoolean() ? 60 : 3_000);
    int bits = 1 + random.nextInt(63);
    int shift = random.nextInt(64 - bits);
    long[] offsets = new long[count];
    sort.begin(count);
    for (int i = 0; i < count; i++) {
      offsets[i] = (random.nextLong() & ((1L << bits) - 1)) << shift >>> 1;
      sort.add(offsets[i], i);
    }
    sort.sort();
    long[] sorted = new long[count];
    long[] ofNumbers = new long[count];
    for (int i = 0; i < count; i++) {
      sorted[i] = sort.offset(i);
      ofNumbers[i] = offsets[sort.number(i)];
    }
    Arrays.sort(offsets);
    assertThat(Arrays.mismatch(sorted, offsets)).isEqualTo(-1);
    assertThat(Arrays.mismatch(ofNumbers, offsets)).isEqualTo(-1);
  }
}
