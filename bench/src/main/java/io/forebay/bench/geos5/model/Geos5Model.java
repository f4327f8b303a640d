// SPDX-License-Identifier: Apache-2.0

package io.forebay.bench.geos5.model;

import io.forebay.bench.geos5.Geos5Bundles;
import io.forebay.netcdf.bundle.BundleOptions;
import io.forebay.netcdf.bundle.BundleSet;
import io.forebay.netcdf.bundle.StepReport;
import io.forebay.netcdf.bundle.definition.Blocks;
import io.forebay.netcdf.bundle.definition.Bundle;
import io.forebay.netcdf.bundle.definition.BundleFormat;
import io.forebay.netcdf.bundle.partition.Partition;
import io.forebay.netcdf.bundle.partition.Scheme;
import io.forebay.parallel.Group;
import io.forebay.parallel.Reduction;
import java.io.IOException;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;

/**
 * One step of GEOS-5's output, with half a degree between the points of a plane, on the simulated
 * Discover. Any thread may call it; threads may simulate at the same time.
 */
public final class Geos5Model {
  /** The largest bundle is the first. */
  private static final int MOIST = 0;

  private final SimulatedMachine machine;
  private final List<Bundle> bundles;

  /**
   * A model.
   *
   * @param planes how many planes all bundles have together
   */
  public Geos5Model(SimulatedMachine machine, int planes) {
    this.machine = machine;
    bundles = Geos5Bundles.of(Geos5Bundles.HALF_DEGREE, planes, BundleFormat.CDF5);
  }

  /** Writes one step on that many ranks. */
  public StepTimes simulate(Way way, int ranks) throws IOException {
    SimulatedRanks cluster = new SimulatedRanks(machine, ranks);
    AtomicReference<StepTimes> times = new AtomicReference<>();
    cluster.run(
        group -> {
          StepTimes each = write(way, group, cluster);
          if (group.rank() == 0) times.set(each);
        });
    return times.get();
  }

  private StepTimes write(Way way, Group group, SimulatedRanks cluster) throws IOException {
    if (way.options().isPresent()) return write(way.options().get(), group, cluster);
    if (way == Way.PNETCDF) return new CollectiveWriter(group, bundles, cluster).write("");
    return new MasterWriter(group, bundles, cluster.ground(), cluster.elements()).write("");
  }

  /**
   * Writes with the library. For a rank the shuffle ends when it has all its parts of planes: a
   * member packs its own part when all others are there, and a plane root then places them all.
   * Shares are placed only by the rank that writes, so that is not part of the shuffle. Both the
   * mean of all ranks and the last rank are told: the last ones may be neighbours of writing ranks,
   * whose links are busy with what other members send to be written.
   */
  private StepTimes write(BundleOptions options, Group group, SimulatedRanks cluster)
      throws IOException {
    SimulatedElements elements = cluster.elements();
    try (BundleSet set =
        BundleSet.create(group, bundles, Blocks.even(group), options, cluster.ground())) {
      long start = cluster.time().nanos();
      StepReport report = set.write(BundleSet.NAME_PLACE, elements);
      long shuffled = elements.packedNanos();
      if (report.scheme() != Scheme.IPS) shuffled = Math.max(shuffled, elements.placedNanos());
      long shuffle = group.allReduce(shuffled - start, Reduction.SUM) / group.size();
      long last = group.allReduce(shuffled - start, Reduction.MAX);
      // With little memory the writes go on during the shuffle.
      long rest = Math.max(0, report.totalNanos() - shuffle - report.writeNanos());
      return new StepTimes(report.totalNanos(), 0, shuffle, last, rest, report.writeNanos());
    }
  }

  /** How many ranks write <em>moist</em> under each scheme. */
  public Map<Scheme, Integer> moistRanks(int ranks) {
    int[] nodes = new int[ranks];
    for (int rank = 0; rank < ranks; rank++) nodes[rank] = rank / machine.ranksPerNode();
    long[] sizes = bundles.stream().mapToLong(Bundle::planeBytes).toArray();
    Map<Scheme, Integer> result = new EnumMap<>(Scheme.class);
    for (Scheme scheme : Scheme.values()) {
      Partition partition = Partition.of(scheme, nodes, sizes);
      partition.groups().stream()
          .filter(group -> group.bundles().contains(MOIST))
          .forEach(group -> result.put(scheme, group.size()));
    }
    return result;
  }
}
