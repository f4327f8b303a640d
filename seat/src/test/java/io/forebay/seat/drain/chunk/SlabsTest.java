// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.drain.chunk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;
import org.junit.jupiter.api.Test;

class SlabsTest {
  private static final int MIB = 1 << 20;

  @Test
  void theSameMemoryIsUsedAgain() {
    Slabs slabs = new Slabs(256L * MIB);
    ByteBuffer first = slabs.take();
    assertThat(first.remaining()).isEqualTo(MIB);
    first.position(17).limit(20);
    slabs.give(first);
    for (int i = 0; i < 1000; i++) {
      ByteBuffer again = slabs.take();
      assertThat(again).isSameAs(first);
      assertThat(again.remaining()).isEqualTo(MIB);
      slabs.give(again);
    }
    assertThat(slabs.mostBytes()).isEqualTo(MIB);
  }

  @Test
  void whatAVeryLargeWriteTookBesidesIsNotKept() {
    Slabs slabs = new Slabs(8L * MIB);
    int slabBytes = slabs.roundedUp(1);
    Set<ByteBuffer> taken = Collections.newSetFromMap(new IdentityHashMap<>());
    for (int i = 0; i < 3 * 8 * MIB / slabBytes; i++) taken.add(slabs.take());
    taken.forEach(slabs::give);
    assertThat(slabs.mostBytes()).isEqualTo(3 * 8L * MIB);
    int kept = 0;
    for (int i = 0; i < taken.size(); i++) if (taken.contains(slabs.take())) kept++;
    assertThat(kept * slabBytes).isLessThanOrEqualTo(8 * MIB);
  }

  @Test
  void nothingComesBackThatIsNotOut() {
    Slabs slabs = new Slabs(8L * MIB);
    assertThatThrownBy(() -> slabs.give(ByteBuffer.allocateDirect(slabs.roundedUp(1))))
        .isInstanceOf(IllegalStateException.class);
  }

  @Test
  void zerosAreZerosAndNobodyCanChangeThem() {
    ByteBuffer zeros = Slabs.zeros(1000);
    assertThat(zeros.remaining()).isEqualTo(1000);
    assertThat(zeros.isReadOnly()).isTrue();
    while (zeros.hasRemaining()) assertThat(zeros.get()).isZero();
    assertThat(Slabs.zeros(100 * MIB).remaining()).isPositive();
  }
}
