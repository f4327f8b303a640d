// SPDX-License-Identifier: Apache-2.0

package io.forebay.store.tier;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.store.disk.MemoryDisk;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class SlotPoolTest {
  private static final int BYTES = 4096;

  private final MemoryDisk small = MemoryDisk.onHeap(2 * BYTES, 100, () -> {});
  private final MemoryDisk large = MemoryDisk.onHeap(Long.MAX_VALUE, 100, () -> {});
  private final List<String> warnings = new ArrayList<>();
  private long now;

  private SlotPool pool(int slotsMax, SlotPool.Place... places) {
    return new SlotPool(
        new SlotPool.Config("m-", BYTES, slotsMax, slotsMax, true),
        List.of(places),
        () -> now,
        (from, to, detail) ->
            warnings.add(from.description() + " to " + (to == null ? "none" : to.description())));
  }

  private void run(SlotPool pool) {
    for (int i = 0; i < 20; i++) {
      pool.maintain();
      small.poll();
      large.poll();
    }
  }

  @Test
  void aFullPlaceHandsOverToTheNextWithOneWarning() {
    SlotPool pool =
        pool(
            5, new SlotPool.Place(small, true, "small"), new SlotPool.Place(large, false, "large"));
    run(pool);
    assertThat(pool.free()).isEqualTo(5);
    assertThat(warnings).containsExactly("small to large");
    assertThat(List.of(pool.take(0), pool.take(0), pool.take(0)))
        .extracting(slot -> slot != null && slot.lasting())
        .containsExactly(true, true, false);
  }

  @Test
  void reservesAreLeftToOthers() {
    SlotPool pool = pool(3, new SlotPool.Place(large, true, "large"));
    run(pool);
    assertThat(pool.take(2)).isNotNull();
    assertThat(pool.take(2)).isNull();
    assertThat(pool.take(1)).isNotNull();
    assertThat(pool.take(1)).isNull();
    assertThat(pool.take(0)).isNotNull();
  }

  @Test
  void aFullLastPlaceIsTriedAgainLater() {
    SlotPool pool = pool(4, new SlotPool.Place(small, true, "small"));
    run(pool);
    assertThat(pool.free()).isEqualTo(2);
    assertThat(pool.preparing()).isFalse();
    assertThat(warnings).containsExactly("small to none");
    Slot slot = pool.take(0);
    assertThat(slot).isNotNull();
    pool.retire(slot, outcome -> assertThat(outcome.succeeded()).isTrue());
    small.poll();
    run(pool);
    assertThat(pool.free()).isEqualTo(1);
    now += 2_000_000_000L;
    run(pool);
    assertThat(pool.free()).isEqualTo(2);
  }
}
