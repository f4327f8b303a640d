// SPDX-License-Identifier: Apache-2.0

package io.forebay.namespace.set;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.forebay.testing.TestSeed;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** The sets against plain ones. */
class NumberSetsTest {
  private static List<String> rangesOf(LongRanges set) {
    List<String> ranges = new ArrayList<>();
    set.forEach((first, last) -> ranges.add(first + "-" + last));
    return ranges;
  }

  @Test
  void neighboursAreJoined() {
    LongRanges set = new LongRanges();
    assertThat(set.add(5)).isTrue();
    assertThat(set.add(5)).isFalse();
    set.add(7, 9);
    assertThat(rangesOf(set)).containsExactly("5-5", "7-9");
    set.add(6);
    assertThat(rangesOf(set)).containsExactly("5-9");
    assertThat(set.remove(7)).isTrue();
    assertThat(set.remove(7)).isFalse();
    assertThat(rangesOf(set)).containsExactly("5-6", "8-9");
    assertThatThrownBy(() -> set.add(1, 8)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> set.add(6, 7)).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void bothEndsOfTheNumbersFit() {
    LongRanges set = new LongRanges();
    set.add(Long.MAX_VALUE);
    set.add(Long.MIN_VALUE);
    assertThat(set.contains(Long.MAX_VALUE)).isTrue();
    assertThat(set.contains(Long.MIN_VALUE)).isTrue();
    assertThat(set.contains(0)).isFalse();
    assertThat(set.remove(Long.MAX_VALUE)).isTrue();
    assertThat(rangesOf(set)).containsExactly(Long.MIN_VALUE + "-" + Long.MIN_VALUE);
  }

  @Test
  void rangesMatchAPlainSet() {
    long seed = TestSeed.first("NumberSetsTest");
    System.out.println("NumberSetsTest: -Dforebay.seed=" + seed);
    SplittableRandom random = new SplittableRandom(seed);
    LongRanges set = new LongRanges();
    TreeSet<Long> plain = new TreeSet<>();
    for (int i = 0; i < 20_000; i++) {
      long value = random.nextInt(200);
      if (random.nextBoolean()) assertThat(set.add(value)).isEqualTo(plain.add(value));
      else assertThat(set.remove(value)).isEqualTo(plain.remove(value));
      long asked = random.nextInt(200);
      assertThat(set.contains(asked)).isEqualTo(plain.contains(asked));
    }
    TreeSet<Long> shown = new TreeSet<>();
    set.forEach(
        (first, last) -> {
          assertThat(shown.contains(first - 1)).isFalse();
          for (long value = first; value <= last; value++) shown.add(value);
        });
    assertThat(shown).isEqualTo(plain);
  }

  @Test
  void sequencesOfAnyAttemptAreKept() {
    SequenceSet set = new SequenceSet();
    long[] sequences = {0, 256, 512, 513, 255, -1, Long.MIN_VALUE, Long.MAX_VALUE};
    for (long sequence : sequences) assertThat(set.add(sequence)).isTrue();
    for (long sequence : sequences) assertThat(set.add(sequence)).isFalse();
    SequenceSet copy = new SequenceSet();
    set.forEachRange(copy::addRange);
    for (long sequence : sequences) assertThat(copy.remove(sequence)).isTrue();
    assertThat(copy.isEmpty()).isTrue();
    assertThat(set.contains(1)).isFalse();
    assertThat(SequenceSet.follows(255, 256)).isTrue();
    assertThat(SequenceSet.follows(0, 255)).isFalse();
    assertThat(SequenceSet.follows(0, 512)).isFalse();
  }

  @Test
  void longSetsGrow() {
    LongSet set = new LongSet();
    SplittableRandom random = new SplittableRandom(3);
    TreeSet<Long> plain = new TreeSet<>();
    for (int i = 0; i < 5_000; i++) {
      long value = random.nextInt(4) == 0 ? 1 + random.nextInt(100) : random.nextLong();
      if (value == 0) continue;
      set.add(value);
      plain.add(value);
    }
    assertThat(set.size()).isEqualTo(plain.size());
    assertThat(set.sorted()).containsExactly(plain.stream().mapToLong(Long::longValue).toArray());
    for (long value : plain) assertThat(set.contains(value)).isTrue();
    assertThat(set.contains(0)).isFalse();
    assertThat(set.contains(101)).isEqualTo(plain.contains(101L));
  }
}
