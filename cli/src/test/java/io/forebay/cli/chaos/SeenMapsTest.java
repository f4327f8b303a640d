// SPDX-License-Identifier: Apache-2.0

package io.forebay.cli.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.ring.RingMap;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Two maps of one epoch are noticed, whoever shows them. */
class SeenMapsTest {
  private final SeenMaps maps = new SeenMaps();

  private static RingMap map(long cluster, long epoch) {
    return new RingMap(cluster, 1, epoch, List.of(), List.of(), List.of());
  }

  @Test
  void mapsOfOneEpochAreTheSame() {
    maps.saw("server-0", map(7, 1_000_001));
    maps.saw("server-1", map(7, 1_000_001));
    maps.saw("server-1", map(7, 1_000_002));
    maps.saw("server-2", null);
    assertThat(maps.epochs()).isEqualTo(2);
    assertThat(maps.conflicts()).isEmpty();
  }

  @Test
  void anotherMapOfAnEpochIsNamedWithThoseThatShowedIt() {
    maps.saw("server-0", map(7, 1_000_001));
    maps.saw("server-1", map(8, 1_000_001));
    assertThat(maps.conflicts())
        .containsExactly("server-1 has another map of epoch 1000001 than server-0");
  }

  @Test
  void onlyTheFirstConflictsAreKept() {
    for (int i = 0; i <= SeenMaps.CONFLICTS_MAX; i++) {
      maps.saw("server-0", map(7, 1_000_001 + i));
      maps.saw("server-1", map(8, 1_000_001 + i));
    }
    assertThat(maps.conflicts()).hasSize(SeenMaps.CONFLICTS_MAX);
  }
}
