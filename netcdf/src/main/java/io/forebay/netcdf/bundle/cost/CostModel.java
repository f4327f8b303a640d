// SPDX-License-Identifier: Apache-2.0

package io.forebay.netcdf.bundle.cost;

import io.forebay.netcdf.bundle.plan.GroupPlan;
import io.forebay.netcdf.bundle.plan.StepPlan;
import io.forebay.netcdf.bundle.plan.Window;
import java.util.List;

/**
 * Predicts how long a step takes: for each group the sum of shuffle, aggregation and write
 * (equation 1), and of all groups the longest (equation 2).
 */
final class CostModel {
  private final MachineCosts costs;
  private final int[] nodes;

  /**
   * For a machine.
   *
   * @param nodes of each rank, its node
   */
  CostModel(MachineCosts costs, int[] nodes) {
    this.costs = costs;
    this.nodes = nodes.clone();
  }

  double stepNanos(StepPlan plan) {
    double all = 0;
    for (GroupPlan group : plan.groups()) all += bytesOf(group);
    double longest = 0;
    for (GroupPlan group : plan.groups()) longest = Math.max(longest, groupNanos(group, all));
    return longest;
  }

  private double groupNanos(GroupPlan group, double allBytes) {
    double each = bytesOf(group) / group.aggregators().length;
    double create = (double) costs.createNanos() * group.group().bundles().size();
    double write = costs.writeNanos(each, allBytes);
    return create + shuffleNanos(group) + aggregateNanos(group) + write;
  }

  private static double bytesOf(GroupPlan group) {
    double bytes = 0;
    for (int round = 0; round < group.rounds(); round++) {
      bytes += group.stripBytes(group.firstStrip(round), group.endStrip(round));
    }
    return bytes;
  }

  /** The time of the root, which stands for all members: they receive about as much. */
  private double shuffleNanos(GroupPlan group) {
    List<Integer> sources = group.sources(0);
    double bytes = 0;
    for (int round = 0; round < group.rounds(); round++) bytes += group.receivedBytes(round, 0);
    double messages = (double) group.rounds() * (sources.size() - 1);
    return costs.messagesNanos(nearShare(sources, group.group().root()), messages, bytes);
  }

  /** The time of the root as an aggregator. */
  private double aggregateNanos(GroupPlan group) {
    double messages = 0;
    double bytes = 0;
    for (Window window : group.windows(0)) {
      if (window.aggregator() != 0) continue;
      for (int member = 1; member < group.group().size(); member++) {
        long contributed = group.contributedBytes(window, member);
        if (contributed > 0) messages++;
        bytes += contributed;
      }
    }
    // Rounds are alike, but for the last.
    double rounds = bytesOf(group) / Math.max(1, group.stripBytes(0, group.endStrip(0)));
    double near = nearShare(group.group().ranks(), group.group().root());
    return costs.messagesNanos(near, messages * rounds, bytes * rounds);
  }

  /** How many of the other ranks are on a rank's node. */
  private double nearShare(List<Integer> ranks, int rank) {
    int near = 0;
    int others = 0;
    for (int other : ranks) {
      if (other == rank) continue;
      others++;
      if (nodes[other] == nodes[rank]) near++;
    }
    return others == 0 ? 1 : (double) near / others;
  }
}
