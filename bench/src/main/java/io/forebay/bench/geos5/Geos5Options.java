// SPDX-License-Identifier: Apache-2.0

package io.forebay.bench.geos5;

import io.forebay.base.ByteSize;
import io.forebay.bench.Rounds;
import io.forebay.bench.geos5.output.Way;
import io.forebay.netcdf.bundle.BundleOptions;
import io.forebay.netcdf.bundle.definition.BundleFormat;
import io.forebay.parallel.ThreadRanks;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * The options of the measurements.
 *
 * @param sizes numbers of ranks
 * @param ranksPerNode how many ranks are treated as one node
 * @param amount how much is written
 * @param ways GEOS5-NetCDF is measured even if it is not among them; empty for all, in a quick run
 *     without the program in C
 * @param memoryBytes how much memory a rank may use for the bytes of a step
 * @param explained whether predictions are shown next to measurements
 */
public record Geos5Options(
    RankKind ranks,
    List<Integer> sizes,
    int ranksPerNode,
    Amount amount,
    Set<Geos5Store> stores,
    BundleFormat format,
    Set<Way> ways,
    long memoryBytes,
    boolean explained) {
  /** How ranks run. */
  public enum RankKind {
    THREADS,
    MPI
  }

  /**
   * How much is written; 0 for the default.
   *
   * @param planes of all bundles together in each step
   * @param rounds how often each way is measured
   */
  public record Amount(long rows, long columns, int planes, int steps, int rounds) {
    private static final String GRID = "[1-9][0-9]{0,4}x[1-9][0-9]{0,4}";
    private static final int PLANES_MAX = 10_000;
    private static final int STEPS_MAX = 1_000;
    private static final int ROUNDS_MAX = 100;

    /** The default. */
    public static Amount usual() {
      return new Amount(0, 0, 0, 0, 0);
    }

    /**
     * The same with another grid.
     *
     * @param grid such as {@code 361x576}
     */
    public Amount withGrid(String grid) {
      if (!grid.matches(GRID)) {
        throw new IllegalArgumentException("--grid '" + grid + "' is not like 361x576");
      }
      String[] sides = grid.split("x", -1);
      return new Amount(Long.parseLong(sides[0]), Long.parseLong(sides[1]), planes, steps, rounds);
    }

    public Amount withPlanes(int count) {
      return new Amount(rows, columns, checked("--planes", count, PLANES_MAX), steps, rounds);
    }

    public Amount withSteps(int count) {
      return new Amount(rows, columns, planes, checked("--steps", count, STEPS_MAX), rounds);
    }

    public Amount withRounds(int count) {
      if (count < Rounds.COUNT_MIN || count > ROUNDS_MAX) {
        throw new IllegalArgumentException(
            "--rounds %d is not %d to %d".formatted(count, Rounds.COUNT_MIN, ROUNDS_MAX));
      }
      return new Amount(rows, columns, planes, steps, count);
    }
  }

  private static int checked(String option, int value, int max) {
    if (value < 1 || value > max) {
      throw new IllegalArgumentException("%s %d is not 1 to %d".formatted(option, value, max));
    }
    return value;
  }

  /** So that LPS has several nodes to give away with eight ranks. */
  private static final int RANKS_PER_NODE = 2;

  private static final int RANKS = 8;
  private static final long MEMORY_BYTES = 64 << 20;

  public Geos5Options {
    sizes = List.copyOf(sizes);
    stores = Set.copyOf(stores);
    ways = Set.copyOf(ways);
    for (int size : sizes) checked("--sizes", size, ThreadRanks.SIZE_MAX);
    checked("--ranks-per-node", ranksPerNode, ThreadRanks.SIZE_MAX);
    if (memoryBytes < BundleOptions.MEMORY_BYTES_MIN) {
      throw new IllegalArgumentException(
          "--memory %s is below %s"
              .formatted(
                  ByteSize.format(memoryBytes), ByteSize.format(BundleOptions.MEMORY_BYTES_MIN)));
    }
  }

  /** All ways by eight threads, to the slow profile and to a directory. */
  public static Geos5Options usual() {
    return new Geos5Options(
        RankKind.THREADS,
        List.of(RANKS),
        RANKS_PER_NODE,
        Amount.usual(),
        EnumSet.of(Geos5Store.SLOW, Geos5Store.DIRECTORY),
        BundleFormat.CDF5,
        Set.of(),
        MEMORY_BYTES,
        false);
  }
}
