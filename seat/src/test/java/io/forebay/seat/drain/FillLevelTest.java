// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.drain;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.ring.Instance;
import io.forebay.ring.RingMap;
import io.forebay.ring.SeatEntry;
import io.forebay.seat.manager.state.SmallRing;
import io.forebay.seat.part.FixedMap;
import org.junit.jupiter.api.Test;

class FillLevelTest {
  private static final int PERCENT = 50;

  private final FixedMap followed = new FixedMap();
  private final FillLevel level = new FillLevel(followed, PERCENT);

  private Instance instance(int copies) {
    RingMap map = SmallRing.of(2).instance(copies, false).map();
    followed.set(map);
    return map.instances().getFirst();
  }

  private long shareBytes(Instance instance) {
    long bytes = 0;
    for (SeatEntry seat : SmallRing.of(2).map().seats()) {
      bytes += seat.memoryBytes() + seat.ssdBytes();
    }
    return bytes / instance.copies();
  }

  @Test
  void isNeverReachedWithoutAMap() {
    RingMap map = SmallRing.of(2).instance(1, false).map();
    assertThat(level.isReached(map.instances().getFirst(), Long.MAX_VALUE / 1000)).isFalse();
  }

  @Test
  void isReachedAtItsShareOfWhatAllSeatsHave() {
    Instance instance = instance(1);
    assertThat(level.isReached(instance, shareBytes(instance) / 2 - 1_000_000_000)).isFalse();
    assertThat(level.isReached(instance, shareBytes(instance) / 2)).isTrue();
  }

  @Test
  void countsEveryCopy() {
    Instance instance = instance(2);
    assertThat(level.isReached(instance, shareBytes(instance) / 2)).isTrue();
  }
}
