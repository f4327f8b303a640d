// SPDX-License-Identifier: Apache-2.0

package io.forebay.bench.geos5.output;

import io.forebay.netcdf.bundle.definition.Block;
import io.forebay.netcdf.bundle.definition.Blocks;
import io.forebay.netcdf.bundle.definition.Bundle;
import io.forebay.netcdf.bundle.definition.PlaneVariable;
import io.forebay.netcdf.data.Values;
import io.forebay.parallel.Group;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * GEOS-5 as it is: each bundle has a master, and the masters are spread over the ranks. All ranks
 * go through the bundles in the same order, plane by plane:
 *
 * <ol>
 *   <li>every rank sends its block of the plane to the master with a blocking message;
 *   <li>the master receives them in the order of ranks and puts the plane together;
 *   <li>the master writes the plane with a serial library, and only then turns to the next plane.
 * </ol>
 */
final class MasterOutput implements StepOutput {
  private static final int TAG = 7;

  private final OutputGround ground;
  private final Group group;
  private final Arena arena = Arena.ofShared();
  private final MemorySegment plane;
  private final MemorySegment received;
  private final BusyTimes creates = new BusyTimes();
  private final BusyTimes writes = new BusyTimes();

  MasterOutput(OutputGround ground) {
    this.ground = ground;
    this.group = ground.group();
    long bytes = 0;
    for (Bundle bundle : ground.pattern().bundles()) {
      for (PlaneVariable each : bundle.variables()) {
        bytes = Math.max(bytes, bundle.grid().elements() * each.type().sizeBytes());
      }
    }
    boolean isMaster = false;
    for (int i = 0; i < ground.pattern().bundles().size(); i++) {
      isMaster |= master(i) == group.rank();
    }
    plane = arena.allocate(isMaster ? bytes : 0, Long.BYTES);
    received = arena.allocate(isMaster ? bytes : 0, Long.BYTES);
  }

  /** The rank that writes a bundle. */
  private int master(int bundle) {
    return (int) ((long) bundle * group.size() / ground.pattern().bundles().size());
  }

  @Override
  public void write(int step) throws IOException {
    creates.clear();
    writes.clear();
    for (int bundle = 0; bundle < ground.pattern().bundles().size(); bundle++) {
      if (master(bundle) == group.rank()) collect(step, bundle);
      else send(step, bundle);
    }
  }

  private void send(int step, int number) {
    Bundle bundle = ground.pattern().bundles().get(number);
    Block mine = block(bundle, group.rank());
    if (mine.isEmpty()) return;
    for (int v = 0; v < bundle.variables().size(); v++) {
      PlaneVariable variable = bundle.variables().get(v);
      for (long level = 0; level < variable.planes(); level++) {
        group.send(master(number), TAG, part(step, number, v, level, mine));
      }
    }
  }

  private void collect(int step, int number) throws IOException {
    Bundle bundle = ground.pattern().bundles().get(number);
    long start = System.nanoTime();
    PlaneFile file = PlaneFile.create(ground, step, number);
    creates.addSince(start);
    for (int v = 0; v < bundle.variables().size(); v++) {
      PlaneVariable variable = bundle.variables().get(v);
      long bytes = bundle.grid().elements() * variable.type().sizeBytes();
      for (long level = 0; level < variable.planes(); level++) {
        gather(step, number, v, level);
        start = System.nanoTime();
        file.write(v, level, plane.asSlice(0, bytes));
        writes.addSince(start);
      }
    }
    start = System.nanoTime();
    file.close();
    writes.addSince(start);
  }

  /** Steps 1 and 2 of a plane. */
  private void gather(int step, int number, int v, long level) {
    Bundle bundle = ground.pattern().bundles().get(number);
    int size = bundle.variables().get(v).type().sizeBytes();
    for (int rank = 0; rank < group.size(); rank++) {
      Block block = block(bundle, rank);
      if (block.isEmpty()) continue;
      MemorySegment part;
      if (rank == group.rank()) {
        part = part(step, number, v, level, block);
      } else {
        part = received.asSlice(0, block.elements() * size);
        group.receive(rank, TAG, part);
      }
      place(part, block, bundle.grid().columns(), size);
    }
  }

  private void place(MemorySegment part, Block block, long columns, int size) {
    long rowBytes = block.columns() * size;
    for (long row = 0; row < block.rows(); row++) {
      long to = ((block.row() + row) * columns + block.column()) * size;
      MemorySegment.copy(part, row * rowBytes, plane, to, rowBytes);
    }
  }

  private Block block(Bundle bundle, int rank) {
    return Blocks.even(bundle.grid(), group.size(), rank);
  }

  /** This rank's block of a plane, which is one piece of its memory. */
  private MemorySegment part(int step, int bundle, int variable, long level, Block block) {
    PlaneVariable each = ground.pattern().bundles().get(bundle).variables().get(variable);
    long bytes = block.elements() * each.type().sizeBytes();
    Values all = ground.values(step, bundle, variable, each.planes() * block.elements());
    return all.memory().asSlice(level * bytes, bytes);
  }

  /** Communication is the time in which no master creates or writes. */
  @Override
  public StepTimes times(long totalNanos) {
    long writeNanos = BusyTimes.nanos(group, writes);
    long createNanos = BusyTimes.nanos(group, creates, writes) - writeNanos;
    return StepTimes.communicating(totalNanos, createNanos, writeNanos);
  }

  @Override
  public void close() {
    arena.close();
  }
}
