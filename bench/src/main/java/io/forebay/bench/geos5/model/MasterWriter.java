// SPDX-License-Identifier: Apache-2.0

package io.forebay.bench.geos5.model;

import io.forebay.base.MonotonicClock;
import io.forebay.netcdf.bundle.BundleGround;
import io.forebay.netcdf.bundle.definition.Block;
import io.forebay.netcdf.bundle.definition.Blocks;
import io.forebay.netcdf.bundle.definition.Bundle;
import io.forebay.netcdf.bundle.definition.PlaneVariable;
import io.forebay.netcdf.bundle.file.BundleDraft;
import io.forebay.netcdf.bundle.flow.Elements;
import io.forebay.parallel.Group;
import io.forebay.parallel.Reduction;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;

/**
 * GEOS5-NetCDF: one master for each bundle. All ranks go through the bundles in their order, and
 * through the planes of each: a rank sends its part of the plane to the master, which receives the
 * parts in the order of ranks, writes the plane, and only then takes the next one. Masters of
 * different bundles are on different nodes as far as there are nodes.
 */
public final class MasterWriter {
  private static final int TAG = 1;

  private final Group group;
  private final List<Bundle> bundles;
  private final BundleGround ground;
  private final Elements elements;
  private long createNanos;
  private long writeNanos;

  public MasterWriter(Group group, List<Bundle> bundles, BundleGround ground, Elements elements) {
    this.group = group;
    this.bundles = bundles;
    this.ground = ground;
    this.elements = elements;
  }

  /**
   * Writes one step; collective. Bundles are written one after the other, so the masters' times add
   * up; what is left is communication.
   *
   * @param prefix goes before the bundles' names in the names of files
   */
  public StepTimes write(String prefix) throws IOException {
    MonotonicClock clock = ground.clock();
    createNanos = 0;
    writeNanos = 0;
    group.barrier();
    long start = clock.nanos();
    for (int bundle = 0; bundle < bundles.size(); bundle++) {
      if (group.rank() == master(bundle)) receive(bundle, prefix);
      else send(bundle);
    }
    group.barrier();
    long total = group.allReduce(clock.nanos() - start, Reduction.MAX);
    long[] masters = group.allReduce(new long[] {createNanos, writeNanos}, Reduction.SUM);
    long moving = Math.max(0, total - masters[0] - masters[1]);
    return new StepTimes(total, masters[0], moving, moving, 0, masters[1]);
  }

  /** The first ranks of all nodes, then their second ones. */
  int master(int bundle) {
    int size = group.size();
    int nodes = 0;
    for (int rank = 0; rank < size; rank++) nodes = Math.max(nodes, group.node(rank) + 1);
    int place = bundle / nodes;
    for (int rank = 0; rank < size; rank++) {
      if (group.node(rank) == bundle % nodes && place-- == 0) return rank;
    }
    return bundle % size;
  }

  private void send(int bundle) throws IOException {
    Bundle written = bundles.get(bundle);
    int master = master(bundle);
    Block part = block(written, group.rank());
    if (part.isEmpty()) return;
    try (Arena arena = Arena.ofShared()) {
      for (int variable = 0; variable < written.variables().size(); variable++) {
        PlaneVariable planes = written.variables().get(variable);
        MemorySegment packed = memory(arena, part.elements(), planes);
        for (long level = 0; level < planes.planes(); level++) {
          elements.pack(bundle, variable, level, part, packed);
          group.send(master, TAG, packed);
        }
      }
    }
  }

  private void receive(int bundle, String prefix) throws IOException {
    Bundle written = bundles.get(bundle);
    long start = ground.clock().nanos();
    BundleDraft file = ground.files().apply(written).create(written, prefix + written.name());
    createNanos += ground.clock().nanos() - start;
    try (Arena arena = Arena.ofShared()) {
      for (int variable = 0; variable < written.variables().size(); variable++) {
        PlaneVariable planes = written.variables().get(variable);
        MemorySegment plane = memory(arena, written.grid().elements(), planes);
        for (long level = 0; level < planes.planes(); level++) {
          gather(bundle, variable, level, plane);
          start = ground.clock().nanos();
          file.write(variable, level * written.grid().elements(), plane);
          writeNanos += ground.clock().nanos() - start;
        }
      }
    }
    start = ground.clock().nanos();
    file.close();
    writeNanos += ground.clock().nanos() - start;
    start = ground.clock().nanos();
    file.commit();
    createNanos += ground.clock().nanos() - start;
  }

  /** Receives the parts of one plane. */
  private void gather(int bundle, int variable, long level, MemorySegment plane)
      throws IOException {
    Bundle written = bundles.get(bundle);
    PlaneVariable planes = written.variables().get(variable);
    Block whole = new Block(0, written.grid().rows(), 0, written.grid().columns());
    try (Arena arena = Arena.ofShared()) {
      for (int rank = 0; rank < group.size(); rank++) {
        Block part = block(written, rank);
        if (part.isEmpty()) continue;
        MemorySegment packed = memory(arena, part.elements(), planes);
        if (rank == group.rank()) elements.pack(bundle, variable, level, part, packed);
        else group.receive(rank, TAG, packed);
        elements.place(packed, part, plane, whole, planes.type().sizeBytes());
      }
    }
  }

  private Block block(Bundle bundle, int rank) {
    return Blocks.even(bundle.grid(), group.size(), rank);
  }

  private MemorySegment memory(Arena arena, long count, PlaneVariable variable) {
    return ground.memory().allocate(arena, count * variable.type().sizeBytes());
  }
}
