// SPDX-License-Identifier: Apache-2.0

package io.forebay.bench.drain;

import io.forebay.bench.Rounds;
import java.util.List;

/**
 * The scale of the measurements.
 *
 * @param extentCounts how many extents the files of plans have, ascending powers of ten
 * @param extentsEach one measurement of planning is the mean of at least this many
 * @param slowBytes bytes per drain to the slow profile
 * @param deviceBytes bytes per drain to the device
 * @param patternBytes about the size of the files whose writes are counted
 * @param ingestBytes bytes written during a drain, and bytes of that drain
 * @param readBytes bytes read at a restart
 * @param smallFiles how many small files are drained at a time
 * @param segmentBytes the segment size of the servers' logs
 */
record DrainScale(
    int rounds,
    List<Integer> extentCounts,
    int extentsEach,
    long slowBytes,
    long deviceBytes,
    long patternBytes,
    long ingestBytes,
    long readBytes,
    int smallFiles,
    int segmentBytes) {
  private static final int MIB = 1 << 20;

  /** Segments beside those for the data: the reserves, and some in preparation. */
  private static final int SPARE_SEGMENTS = 8;

  static DrainScale full() {
    return new DrainScale(
        Rounds.COUNT_MIN,
        List.of(1_000, 10_000, 100_000, 1_000_000, 10_000_000),
        1_000_000,
        768L * MIB,
        1024L * MIB,
        256L * MIB,
        1024L * MIB,
        512L * MIB,
        2_000,
        32 * MIB);
  }

  static DrainScale quick() {
    return new DrainScale(
        Rounds.COUNT_MIN,
        List.of(1_000, 10_000, 100_000, 1_000_000),
        200_000,
        192L * MIB,
        256L * MIB,
        96L * MIB,
        384L * MIB,
        192L * MIB,
        500,
        16 * MIB);
  }

  /** Memory of each server for this many bytes, on any server. */
  long memoryBytes(long bytes) {
    return bytes + (long) SPARE_SEGMENTS * segmentBytes;
  }
}
