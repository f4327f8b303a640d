// SPDX-License-Identifier: Apache-2.0

package io.forebay.bench.geos5.model;

import io.forebay.bench.geos5.model.SimulatedMachine.Copies;
import io.forebay.netcdf.bundle.definition.Block;
import io.forebay.netcdf.bundle.flow.Elements;
import java.lang.foreign.MemorySegment;

/**
 * Takes the time of copies, and copies nothing. One for each rank; it knows when the rank has last
 * packed or placed.
 */
final class SimulatedElements implements Elements {
  private final VirtualTime time;
  private final Copies copies;
  private long packedNanos;
  private long placedNanos;

  SimulatedElements(VirtualTime time, SimulatedMachine machine) {
    this.time = time;
    copies = machine.copies();
  }

  @Override
  public void pack(int bundle, int variable, long level, Block part, MemorySegment target) {
    copy(part, target.byteSize());
    packedNanos = time.nanos();
  }

  @Override
  public void place(
      MemorySegment packed, Block part, MemorySegment target, Block whole, int elementBytes) {
    // Rows that are as long as those of the whole are contiguous.
    if (part.columns() == whole.columns()) {
      copy(packed, target);
    } else {
      copy(part, packed.byteSize());
    }
    placedNanos = time.nanos();
  }

  @Override
  public void copy(MemorySegment source, MemorySegment target) {
    time.spend(SimulatedMachine.nanos(source.byteSize(), copies.bytesPerSecond()));
  }

  /** When the rank has last packed elements. */
  long packedNanos() {
    return packedNanos;
  }

  /** When the rank has last put a part in its place. */
  long placedNanos() {
    return placedNanos;
  }

  private void copy(Block part, long bytes) {
    time.spend(
        part.rows() * copies.rowNanos() + SimulatedMachine.nanos(bytes, copies.bytesPerSecond()));
  }
}
