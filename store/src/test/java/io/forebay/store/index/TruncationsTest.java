// SPDX-License-Identifier: Apache-2.0

package io.forebay.store.index;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class TruncationsTest {
  private final Truncations truncations = new Truncations();

  @Test
  void limitIsTheSmallestSizeSinceThePublish() {
    truncations.add(10, 100);
    truncations.add(20, 300);
    truncations.add(30, 200);
    assertThat(truncations.limitBytes(5)).isEqualTo(100);
    assertThat(truncations.limitBytes(10)).isEqualTo(100);
    assertThat(truncations.limitBytes(11)).isEqualTo(200);
    assertThat(truncations.limitBytes(30)).isEqualTo(200);
    assertThat(truncations.limitBytes(31)).isEqualTo(Truncations.UNLIMITED);
  }

  @Test
  void beyondTheBoundOldestAreJoined() {
    for (int i = 1; i <= Truncations.KEPT_MAX + 1; i++) truncations.add(i, i);
    assertThat(truncations.limitBytes(1)).isEqualTo(1);
    assertThat(truncations.limitBytes(2)).isEqualTo(1);
    assertThat(truncations.limitBytes(3)).isEqualTo(3);
    assertThat(truncations.limitBytes(Truncations.KEPT_MAX + 1))
        .isEqualTo(Truncations.KEPT_MAX + 1);
    long full = truncations.memoryBytes();
    for (int i = 0; i < 10 * Truncations.KEPT_MAX; i++) truncations.add(1_000 + i, 1_000 + i);
    assertThat(truncations.memoryBytes()).isEqualTo(full);
  }
}
