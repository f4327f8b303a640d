// SPDX-License-Identifier: Apache-2.0

package io.forebay.ring.ended;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.forebay.ring.ended.EndedInstances.Range;
import java.util.BitSet;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class EndedInstancesTest {
  private static EndedInstances of(int... numbers) {
    EndedInstances ended = EndedInstances.NONE;
    for (int number : numbers) ended = ended.with(number);
    return ended;
  }

  @Test
  void neighboursAreOneRange() {
    assertThat(of(1, 2, 3).ranges()).containsExactly(new Range(1, 3));
    assertThat(of(3, 1).ranges()).containsExactly(new Range(1, 1), new Range(3, 3));
    assertThat(of(3, 1, 2)).isEqualTo(of(1, 2, 3));
    assertThat(of(5, 6, 2).with(6)).isEqualTo(of(2, 5, 6));
    assertThat(of(Integer.MAX_VALUE, 1).with(Integer.MAX_VALUE - 1).count()).isEqualTo(3);
    assertThat(of(Integer.MAX_VALUE).without(of(Integer.MAX_VALUE)).isEmpty()).isTrue();
  }

  @Test
  void countsLikeASetOfBits() {
    SplittableRandom random = new SplittableRandom(17);
    for (int round = 0; round < 50; round++) {
      BitSet bits = new BitSet();
      BitSet others = new BitSet();
      EndedInstances ended = EndedInstances.NONE;
      EndedInstances other = EndedInstances.NONE;
      for (int i = 0; i < 60; i++) {
        int number = 1 + random.nextInt(80);
        int taken = 1 + random.nextInt(80);
        bits.set(number);
        ended = ended.with(number);
        if (random.nextInt(3) == 0) continue;
        others.set(taken);
        other = other.with(taken);
      }
      assertSame(ended, bits);
      BitSet left = (BitSet) bits.clone();
      left.andNot(others);
      assertSame(ended.without(other), left);
      BitSet all = (BitSet) bits.clone();
      all.or(others);
      assertSame(ended.and(other), all);
    }
  }

  private static void assertSame(EndedInstances ended, BitSet bits) {
    for (int number = 0; number < 90; number++) {
      assertThat(ended.contains(number)).as("%d in %s", number, ended).isEqualTo(bits.get(number));
    }
    assertThat(ended.count()).isEqualTo(bits.cardinality());
    assertThat(ended.last()).isEqualTo(Math.max(0, bits.length() - 1));
  }

  @Test
  void rangesAreInOrder() {
    assertThatThrownBy(() -> new EndedInstances(List.of(new Range(1, 2), new Range(3, 4))))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new EndedInstances(List.of(new Range(5, 6), new Range(1, 2))))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new Range(0, 2)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new Range(3, 2)).isInstanceOf(IllegalArgumentException.class);
  }
}
