// SPDX-License-Identifier: Apache-2.0

package io.forebay.bench.netcdf;

import io.forebay.bench.Rounds;
import io.forebay.bench.netcdf.crew.Workload;
import java.util.List;

/**
 * The scale of the measurements. BTIO's grids are small so that a rank's request is as small as
 * with the 4,096 ranks of the paper: 512³ points there and 24³ on 9 ranks here make 20 KiB.
 *
 * @param rankBytes the bytes of each rank in IOR's patterns
 * @param transferBytes sizes of IOR's transfers
 * @param flashSide cells along a block of FLASH
 */
record NetcdfScale(
    int rounds,
    int warmUps,
    long rankBytes,
    List<Long> transferBytes,
    int flashSide,
    int strongDumps,
    int weakDumps) {
  static final int FLASH_BLOCKS = 80;
  static final int STRONG_SIDE = 24;
  static final int WEAK_SIDE = 18;

  private static final long KIB = 1 << 10;
  private static final long MIB = 1 << 20;

  static NetcdfScale full() {
    return new NetcdfScale(
        Rounds.COUNT_MIN,
        1,
        16 * MIB,
        List.of(4 * KIB, 16 * KIB, 64 * KIB, 256 * KIB, MIB),
        16,
        40,
        8);
  }

  static NetcdfScale quick() {
    return new NetcdfScale(Rounds.COUNT_MIN, 1, 2 * MIB, List.of(4 * KIB, 64 * KIB, MIB), 8, 30, 4);
  }

  /** The workloads, one for each size. */
  List<Workload> workloads(Workload.Kind kind, int ranks) {
    return switch (kind) {
      case IOR_CONTIGUOUS, IOR_STRIDED ->
          transferBytes.stream().map(size -> new Workload(kind, ranks, size, rankBytes)).toList();
      case FLASH -> List.of(new Workload(kind, ranks, flashSide, FLASH_BLOCKS));
      case BTIO_STRONG -> List.of(new Workload(kind, ranks, STRONG_SIDE, strongDumps));
      case BTIO_WEAK -> List.of(new Workload(kind, ranks, WEAK_SIDE, weakDumps));
    };
  }
}
