// SPDX-License-Identifier: Apache-2.0

package io.forebay.bench.netcdf;

import io.forebay.bench.netcdf.crew.Store;
import io.forebay.bench.netcdf.crew.Workload;
import io.forebay.bench.netcdf.mode.Mode;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The options of a pattern's measurements.
 *
 * @param ranks the number of ranks; 0 for the pattern's default
 * @param ranksPerNode how many ranks are treated as one node; 0 for all
 * @param computeMillis how long ranks compute before each collective write
 * @param logs the places of our logs; empty for {@link LogPlace#LOCAL}, and in a full run for all
 * @param device a directory on a throttled device, if there is one
 * @param pnetcdf whether PnetCDF is measured too, where it is installed
 */
public record NetcdfOptions(
    RankKind kind,
    int ranks,
    int ranksPerNode,
    int computeMillis,
    Set<Mode> modes,
    Set<LogPlace> logs,
    Set<Store> stores,
    @Nullable Path device,
    boolean pnetcdf) {
  /** How ranks run. */
  public enum RankKind {
    THREADS,
    /** Processes that live as long as the benchmark. */
    MPI,
    /** New processes for each trial, as a program has them that writes once. */
    FRESH
  }

  private static final int USUAL_RANKS = 4;

  /** A square, as BTIO needs. */
  private static final int BTIO_RANKS = 9;

  public NetcdfOptions {
    modes = Set.copyOf(modes);
    logs = Set.copyOf(logs);
    stores = Set.copyOf(stores);
  }

  /** All modes on the page cache and on the slow profile, by threads. */
  public static NetcdfOptions usual() {
    return new NetcdfOptions(
        RankKind.THREADS,
        0,
        0,
        0,
        EnumSet.allOf(Mode.class),
        Set.of(),
        EnumSet.of(Store.FAST, Store.SLOW),
        null,
        true);
  }

  /** The same with ranks on several nodes. */
  public NetcdfOptions onNodes(int ranksOfEach) {
    return new NetcdfOptions(
        kind, ranks, ranksOfEach, computeMillis, modes, logs, stores, device, pnetcdf);
  }

  /** The same with a directory on a device. */
  public NetcdfOptions onDevice(Path directory) {
    return new NetcdfOptions(
        kind, ranks, ranksPerNode, computeMillis, modes, logs, stores, directory, pnetcdf);
  }

  int ranksFor(Workload.Kind kind) {
    if (ranks != 0) return ranks;
    return kind.isBtio() ? BTIO_RANKS : USUAL_RANKS;
  }
}
