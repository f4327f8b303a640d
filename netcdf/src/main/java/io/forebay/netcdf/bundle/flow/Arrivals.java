// SPDX-License-Identifier: Apache-2.0

package io.forebay.netcdf.bundle.flow;

import io.forebay.netcdf.bundle.plan.GroupPlan;
import io.forebay.parallel.Operation;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/** The messages of one round on their way to a member: one from each rank that has a part. */
final class Arrivals {
  private final Position position;
  private final Range range;
  private final MemorySegment memory;
  private final List<Operation> receives = new ArrayList<>();

  /** Begins to receive a round. */
  Arrivals(Position position, int round, MemorySegment memory) {
    this.position = position;
    this.memory = memory;
    GroupPlan own = position.own();
    int member = position.member();
    range = new Range(own, own.firstHeld(round, member), own.endHeld(round, member));
    long at = 0;
    for (int from : own.sources(member)) {
      long bytes = own.heldBytes(range.first(), range.end(), from);
      if (bytes > 0 && from != position.rank()) {
        MemorySegment room = memory.asSlice(at, bytes);
        receives.add(position.ranks().postReceive(from, Position.SHUFFLE_TAG, room));
      }
      at += bytes;
    }
  }

  boolean areHere() {
    receives.removeIf(Operation::isDone);
    return receives.isEmpty();
  }

  /** Adds what this rank has itself. */
  void packOwn(Elements elements) {
    GroupPlan own = position.own();
    long at = 0;
    for (int from : own.sources(position.member())) {
      long bytes = own.heldBytes(range.first(), range.end(), from);
      if (from == position.rank()) {
        range.packOwn(elements, from, memory.asSlice(at, bytes));
        return;
      }
      at += bytes;
    }
  }

  /** Puts the parts of all ranks together into whole strips. */
  void assemble(Elements elements, MemorySegment whole) {
    GroupPlan own = position.own();
    long at = 0;
    for (int from : own.sources(position.member())) {
      long bytes = own.heldBytes(range.first(), range.end(), from);
      if (bytes > 0) range.place(elements, from, memory.asSlice(at, bytes), whole);
      at += bytes;
    }
  }

  void pending(List<Operation> operations) {
    operations.addAll(receives);
  }
}
