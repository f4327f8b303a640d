// SPDX-License-Identifier: Apache-2.0

package io.forebay.netcdf.bundle.partition;

import java.util.List;

/**
 * The ranks that write some bundles together.
 *
 * @param ranks its members; the first is the root
 * @param bundles more than one where small bundles were merged
 */
public record AggregationGroup(List<Integer> ranks, List<Integer> bundles) {
  public AggregationGroup {
    ranks = List.copyOf(ranks);
    bundles = List.copyOf(bundles);
  }

  public int root() {
    return ranks.getFirst();
  }

  public int size() {
    return ranks.size();
  }
}
