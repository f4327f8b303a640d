// SPDX-License-Identifier: Apache-2.0

package io.forebay.netcdf.bundle.flow;

import io.forebay.netcdf.bundle.definition.Block;
import io.forebay.netcdf.bundle.plan.GroupPlan;
import io.forebay.netcdf.bundle.plan.Strip;
import java.lang.foreign.MemorySegment;

/**
 * Some strips of a group that follow one another.
 *
 * @param first the first strip, in the group's order
 * @param end the strip behind the last
 */
record Range(GroupPlan group, int first, int end) {
  long bytes() {
    return group.stripBytes(first, end);
  }

  /** Packs a rank's own parts of the strips, one behind the other. */
  void packOwn(Elements elements, int rank, MemorySegment message) {
    long at = 0;
    for (int i = first; i < end; i++) {
      Strip strip = group.strip(i);
      Block part = strip.part().intersect(group.blockOf(strip, rank));
      if (part.isEmpty()) continue;
      long bytes = part.elements() * strip.elementBytes();
      MemorySegment target = message.asSlice(at, bytes);
      elements.pack(strip.bundle(), strip.variable(), strip.level(), part, target);
      at += bytes;
    }
  }

  /**
   * Puts a rank's packed parts where they belong.
   *
   * @param whole memory of all these strips
   */
  void place(Elements elements, int rank, MemorySegment packed, MemorySegment whole) {
    long from = 0;
    long to = 0;
    for (int i = first; i < end; i++) {
      Strip strip = group.strip(i);
      Block part = strip.part().intersect(group.blockOf(strip, rank));
      if (!part.isEmpty()) {
        long bytes = part.elements() * strip.elementBytes();
        elements.place(
            packed.asSlice(from, bytes),
            part,
            whole.asSlice(to, strip.bytes()),
            strip.part(),
            strip.elementBytes());
        from += bytes;
      }
      to += strip.bytes();
    }
  }
}
