// SPDX-License-Identifier: Apache-2.0

package io.forebay.namespace.tree.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class ReservedRangesTest {
  private final ReservedRanges ranges = new ReservedRanges();

  private List<String> all() {
    List<String> found = new ArrayList<>();
    ranges.forEach((from, to) -> found.add(from + "-" + to));
    return found;
  }

  @Test
  void rangesThatTouchBecomeOneAndAreSplit() {
    ranges.add(10, 20);
    ranges.add(30, 40);
    ranges.add(20, 30);
    assertThat(all()).containsExactly("10-40");
    ranges.remove(15, 20);
    assertThat(all()).containsExactly("10-15", "20-40");
    ranges.remove(0, Long.MAX_VALUE);
    assertThat(ranges.bytes()).isZero();
  }

  @Test
  void theyAreAsASetOfBytesWouldBe() {
    Random random = new Random(14);
    BitSet model = new BitSet();
    for (int i = 0; i < 2000; i++) {
      int from = random.nextInt(300);
      int to = from + random.nextInt(40);
      if (random.nextBoolean()) {
        ranges.add(from, to);
        model.set(from, to);
      } else {
        ranges.remove(from, to);
        model.clear(from, to);
      }
      assertThat(ranges.bytes()).isEqualTo(model.cardinality());
    }
  }

  @Test
  void theirNumberIsBounded() {
    ranges.add(0, 1L << 40);
    for (long at = 0; at < 3L * ReservedRanges.RANGES_MAX; at++) {
      ranges.remove(at * 8192, at * 8192 + 4096);
    }
    assertThat(all()).hasSizeLessThanOrEqualTo(ReservedRanges.RANGES_MAX);
    assertThat(ranges.bytes()).as("the large rest is still there").isGreaterThan(1L << 39);
  }
}
