// SPDX-License-Identifier: Apache-2.0

package io.forebay.netcdf.bundle.file;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.netcdf.bundle.definition.Grid;
import org.junit.jupiter.api.Test;

class SlabTest {
  private static final Grid GRID = new Grid("y", 4, "x", 5);

  @Test
  void slabsCoverEveryRangeInItsOrder() {
    for (long first = 0; first < 60; first++) {
      for (long count = 1; first + count <= 60; count++) {
        long done = 0;
        int slabs = 0;
        while (done < count) {
          Slab slab = Slab.first(GRID, first + done, count - done);
          long[] start = slab.start(true);
          long[] lengths = slab.count(true);
          assertThat(start[0] * 20 + start[1] * 5 + start[2]).isEqualTo(first + done);
          assertThat(lengths[0] * lengths[1] * lengths[2]).isEqualTo(slab.elements());
          done += slab.elements();
          slabs++;
        }
        assertThat(done).isEqualTo(count);
        // Rest of a row, rest of a plane, planes, rows, part of a row.
        assertThat(slabs).isLessThanOrEqualTo(5);
      }
    }
  }
}
