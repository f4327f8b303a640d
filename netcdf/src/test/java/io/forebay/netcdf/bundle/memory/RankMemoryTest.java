// SPDX-License-Identifier: Apache-2.0

package io.forebay.netcdf.bundle.memory;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class RankMemoryTest {
  private final List<Long> allocated = new ArrayList<>();
  private final RankMemory memory =
      new RankMemory(
          (arena, bytes) -> {
            allocated.add(bytes);
            return arena.allocate(bytes, Long.BYTES);
          },
          1000);

  /** Divides, and checks that no two buffers share a byte. */
  private void divide(long... lengths) {
    List<MemorySegment> buffers = memory.divide(lengths);
    for (int i = 0; i < lengths.length; i++) {
      assertThat(buffers.get(i).byteSize()).isEqualTo(lengths[i]);
      buffers.get(i).fill((byte) (i + 1));
    }
    for (int i = 0; i < lengths.length; i++) {
      byte expected = (byte) (i + 1);
      for (byte each : buffers.get(i).toArray(java.lang.foreign.ValueLayout.JAVA_BYTE)) {
        assertThat(each).isEqualTo(expected);
      }
    }
  }

  @Test
  void anotherDivisionAddsWhatIsMissing() {
    divide(100, 0, 50, 200);
    assertThat(allocated).as("each begins at a multiple of 8").containsExactly(104L + 56 + 200);
    divide(200, 150);
    divide(8);
    assertThat(allocated).as("all fits").hasSize(1);
    divide(300, 80, 50);
    assertThat(allocated).as("80 does not fit behind 300").containsExactly(360L, 80L);
    assertThat(memory.totalBytes()).isEqualTo(440);
    memory.close();
  }

  @Test
  void theBoundIsKept() {
    divide(400);
    divide(704);
    assertThat(allocated).as("both would be too much").containsExactly(400L, 704L);
    assertThat(memory.totalBytes()).isEqualTo(704);
    divide(496, 504);
    assertThat(memory.totalBytes()).isEqualTo(1000);
    memory.close();
    memory.close();
  }
}
