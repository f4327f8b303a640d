// SPDX-License-Identifier: Apache-2.0

package io.forebay.netcdf.bundle.cost;

import java.util.List;

/**
 * Predicts how long a step takes: for each group the sum of shuffle, aggregation and write
 * (equation 1), and of all groups the longest (equation 2).
 */
final class CostModel {
  private final MachineCosts costs;
  private final long stepBytes;

  /**
   * For a machine.
   *
   * @param stepBytes what all groups write together
   */
  CostModel(MachineCosts costs, long stepBytes) {
    this.costs = costs;
    this.stepBytes = stepBytes;
  }

  double stepNanos(List<GroupLoad> groups) {
    double longest = 0;
    for (GroupLoad group : groups) longest = Math.max(longest, groupNanos(group));
    return longest;
  }

  private double groupNanos(GroupLoad group) {
    StoreCosts store = costs.store();
    return store.createNanos() * group.files()
        + costs.near().nanos(group.nearMessages(), group.nearBytes())
        + costs.far().nanos(group.farMessages(), group.farBytes())
        + store.writeNanos(group.writerBytes(), stepBytes);
  }
}
