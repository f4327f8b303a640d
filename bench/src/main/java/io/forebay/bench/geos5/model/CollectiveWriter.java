// SPDX-License-Identifier: Apache-2.0

package io.forebay.bench.geos5.model;

import io.forebay.netcdf.bundle.definition.Block;
import io.forebay.netcdf.bundle.definition.Blocks;
import io.forebay.netcdf.bundle.definition.Bundle;
import io.forebay.netcdf.bundle.definition.PlaneVariable;
import io.forebay.parallel.Group;
import io.forebay.parallel.Reduction;
import java.util.List;

/**
 * GEOS5-PnetCDF: all ranks write every bundle together, one bundle after the other. All ranks open
 * the file and agree on each of its definitions, which keeps the header consistent. Then each rank
 * writes its part of every plane itself, as one piece for each row, into blocks of the file that
 * ranks of other nodes write at the same time. Ranks end each variable together.
 */
final class CollectiveWriter {
  /** What ranks compare of each definition: a checksum and an error. */
  private static final int DEFINITION_NUMBERS = 2;

  private final Group group;
  private final List<Bundle> bundles;
  private final SimulatedRanks cluster;
  private final int node;

  CollectiveWriter(Group group, List<Bundle> bundles, SimulatedRanks cluster) {
    this.group = group;
    this.bundles = bundles;
    this.cluster = cluster;
    node = cluster.time().running().node();
  }

  /** Writes one step; collective. */
  StepTimes write(String prefix) {
    group.barrier();
    long start = cluster.time().nanos();
    long createNanos = 0;
    for (Bundle bundle : bundles) {
      long before = cluster.time().nanos();
      create(bundle);
      createNanos += cluster.time().nanos() - before;
      put(bundle, prefix + bundle.name());
    }
    long total = group.allReduce(cluster.time().nanos() - start, Reduction.MAX);
    long create = group.allReduce(createNanos, Reduction.MAX);
    return new StepTimes(total, create, 0, 0, 0, total - create);
  }

  private void create(Bundle bundle) {
    if (group.rank() == 0) cluster.store().create();
    group.barrier();
    if (group.rank() != 0) cluster.store().open();
    long[] agreed = new long[DEFINITION_NUMBERS];
    for (int i = 0; i < bundle.header().variables().size(); i++) {
      agreed = group.allReduce(agreed, Reduction.MAX);
    }
    group.barrier();
  }

  private void put(Bundle bundle, String file) {
    Block part = Blocks.even(bundle.grid(), group.size(), group.rank());
    long firstPlane = 0;
    for (PlaneVariable variable : bundle.variables()) {
      long bytes = part.elements() * variable.type().sizeBytes();
      // A plane is about as large as a block of the file system.
      for (long level = 0; level < variable.planes() && !part.isEmpty(); level++) {
        cluster.store().writePieces(node, file, firstPlane + level, part.rows(), bytes);
      }
      firstPlane += variable.planes();
      group.barrier();
    }
  }
}
