// SPDX-License-Identifier: Apache-2.0

package io.forebay.netcdf.bundle.file;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class StoreUseTest {
  @Test
  void bytesAddUpAndTheSlowestAndFastestRanksAreKept() {
    StoreUse large = StoreUse.of(5, 3_000, 1_000_000);
    StoreUse small = StoreUse.of(9, 1_000, 500_000);
    assertThat(large.fastestBytesPerSecond()).isEqualTo(3_000_000);
    assertThat(large.merge(small)).isEqualTo(new StoreUse(9, 4_000, 1_000_000, 3_000_000));
  }

  @Test
  void aRankThatWritesNothingChangesNothing() {
    StoreUse idle = StoreUse.of(0, 0, 0);
    StoreUse writer = StoreUse.of(5, 3_000, 1_000_000);
    assertThat(idle.fastestBytesPerSecond()).isZero();
    assertThat(writer.merge(idle)).isEqualTo(writer);
  }
}
