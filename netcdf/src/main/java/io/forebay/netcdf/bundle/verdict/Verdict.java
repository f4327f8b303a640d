// SPDX-License-Identifier: Apache-2.0

package io.forebay.netcdf.bundle.verdict;

import io.forebay.netcdf.bundle.partition.AggregationGroup;
import io.forebay.netcdf.bundle.plan.GroupPlan;
import io.forebay.netcdf.bundle.plan.StepPlan;
import io.forebay.parallel.Group;
import io.forebay.parallel.Operation;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/**
 * Brings the outcomes of all ranks together:
 *
 * <ol>
 *   <li>Every member tells the root of its group.
 *   <li>Every root tells the first root.
 *   <li>The first root tells all roots what has come of it.
 *   <li>Every root tells its members.
 * </ol>
 */
public final class Verdict {
  private static final int TAG = 4;

  private final Group ranks;
  private final List<Integer> members;
  private final List<Integer> roots = new ArrayList<>();
  private final int root;

  public Verdict(Group ranks, StepPlan plan) {
    this.ranks = ranks;
    AggregationGroup own = plan.groupOf(ranks.rank()).group();
    root = own.root();
    members = own.ranks();
    for (GroupPlan group : plan.groups()) roots.add(group.group().root());
  }

  /** The outcome of all ranks, given this one's. */
  public Outcome reach(Outcome own) {
    int first = roots.getFirst();
    if (ranks.rank() != root) {
      tell(root, own);
      return hear(root);
    }
    Outcome together = own;
    for (int member : members) {
      if (member != root) together = together.merge(hear(member));
    }
    if (root == first) {
      for (int other : roots) {
        if (other != first) together = together.merge(hear(other));
      }
      tellAll(roots, together);
    } else {
      tell(first, together);
      together = hear(first);
    }
    tellAll(members, together);
    return together;
  }

  private void tell(int to, Outcome outcome) {
    tellAll(List.of(to), outcome);
  }

  private void tellAll(List<Integer> others, Outcome outcome) {
    MemorySegment message = Arena.ofAuto().allocate(Outcome.BYTES, Long.BYTES);
    outcome.write(message);
    List<Operation> sends = new ArrayList<>();
    for (int other : others) {
      if (other != ranks.rank()) sends.add(ranks.postSend(other, TAG, message));
    }
    for (Operation send : sends) ranks.await(send);
  }

  private Outcome hear(int from) {
    MemorySegment message = Arena.ofAuto().allocate(Outcome.BYTES, Long.BYTES);
    ranks.await(ranks.postReceive(from, TAG, message));
    return Outcome.read(message);
  }
}
