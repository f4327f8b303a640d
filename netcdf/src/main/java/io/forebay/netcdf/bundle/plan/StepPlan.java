// SPDX-License-Identifier: Apache-2.0

package io.forebay.netcdf.bundle.plan;

import io.forebay.netcdf.bundle.definition.Block;
import io.forebay.netcdf.bundle.definition.Bundle;
import io.forebay.netcdf.bundle.partition.AggregationGroup;
import io.forebay.netcdf.bundle.partition.Partition;
import io.forebay.netcdf.bundle.partition.Scheme;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToIntFunction;

/** The plans of all groups; the same on every rank. */
public final class StepPlan {
  private final Scheme scheme;
  private final Partition partition;
  private final List<GroupPlan> groups;

  private StepPlan(Scheme scheme, Partition partition, List<GroupPlan> groups) {
    this.scheme = scheme;
    this.partition = partition;
    this.groups = List.copyOf(groups);
  }

  /**
   * Plans a step.
   *
   * @param nodes of each rank, its node
   * @param blocks of each bundle the blocks of all ranks
   * @param aggregators how many members of a group write at the most
   */
  public static StepPlan of(
      Scheme scheme,
      int[] nodes,
      List<Bundle> bundles,
      List<List<Block>> blocks,
      Bounds bounds,
      ToIntFunction<AggregationGroup> aggregators) {
    long[] sizes = new long[bundles.size()];
    for (int i = 0; i < sizes.length; i++) sizes[i] = bundles.get(i).planeBytes();
    Partition partition = Partition.of(scheme, nodes, sizes);
    List<GroupPlan> groups = new ArrayList<>();
    for (AggregationGroup group : partition.groups()) {
      GroupPlan.Sizes allowed = new GroupPlan.Sizes(bounds, aggregators.applyAsInt(group));
      groups.add(new GroupPlan(scheme, group, bundles, blocks, allowed));
    }
    return new StepPlan(scheme, partition, groups);
  }

  public Scheme scheme() {
    return scheme;
  }

  public List<GroupPlan> groups() {
    return groups;
  }

  /** The plan of a rank's own group. */
  public GroupPlan groupOf(int rank) {
    return groups.get(partition.groupOf(rank));
  }

  /** A rank's number within its group. */
  public int memberOf(int rank) {
    return groupOf(rank).group().ranks().indexOf(rank);
  }

  /** The rounds of the group that needs the most. */
  public int rounds() {
    int rounds = 0;
    for (GroupPlan group : groups) rounds = Math.max(rounds, group.rounds());
    return rounds;
  }
}
