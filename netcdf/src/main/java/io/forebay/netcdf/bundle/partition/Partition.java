// SPDX-License-Identifier: Apache-2.0

package io.forebay.netcdf.bundle.partition;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * All ranks, each in exactly one group, and all bundles, each in exactly one group. Members of a
 * group are neighbours: ranks are taken node by node.
 */
public final class Partition {
  private final List<AggregationGroup> groups;
  private final int[] groupOfRank;

  private Partition(List<AggregationGroup> groups, int ranks) {
    this.groups = List.copyOf(groups);
    groupOfRank = new int[ranks];
    for (int g = 0; g < groups.size(); g++) {
      for (int rank : groups.get(g).ranks()) groupOfRank[rank] = g;
    }
  }

  /**
   * Divides ranks.
   *
   * @param nodes of each rank, its node, numbered from 0
   * @param bundleBytes the size of each bundle
   */
  public static Partition of(Scheme scheme, int[] nodes, long[] bundleBytes) {
    if (nodes.length == 0 || bundleBytes.length == 0) {
      throw new IllegalArgumentException(
          nodes.length + " ranks, " + bundleBytes.length + " bundles");
    }
    List<List<Integer>> ranksOfNodes = ranksOfNodes(nodes);
    return switch (scheme) {
      case BPS, IPS -> {
        List<List<Integer>> units = new ArrayList<>();
        for (List<Integer> ranks : ranksOfNodes) {
          for (int rank : ranks) units.add(List.of(rank));
        }
        yield of(units, bundleBytes, nodes.length, false);
      }
      case LPS -> of(ranksOfNodes, bundleBytes, nodes.length, true);
    };
  }

  private static Partition of(
      List<List<Integer>> units, long[] bundleBytes, int ranks, boolean ofNodes) {
    List<List<Integer>> merged = Merging.atMost(units.size(), bundleBytes);
    long[] sizes = new long[merged.size()];
    for (int g = 0; g < sizes.length; g++) {
      for (int bundle : merged.get(g)) sizes[g] += bundleBytes[bundle];
    }
    int[] counts =
        ofNodes
            ? GroupSizes.ofNodes(units.size(), sizes)
            : GroupSizes.balanced(units.size(), sizes);
    List<AggregationGroup> groups = new ArrayList<>();
    int next = 0;
    for (int g = 0; g < counts.length; g++) {
      List<Integer> members = new ArrayList<>();
      for (int i = 0; i < counts[g]; i++) members.addAll(units.get(next++));
      groups.add(new AggregationGroup(members, merged.get(g)));
    }
    return new Partition(groups, ranks);
  }

  /**
   * How many groups there can be; with more bundles than that, some share a group.
   *
   * @param nodes of each rank, its node
   */
  public static int groupsMax(Scheme scheme, int[] nodes) {
    return switch (scheme) {
      case BPS, IPS -> nodes.length;
      case LPS -> Arrays.stream(nodes).max().orElse(-1) + 1;
    };
  }

  private static List<List<Integer>> ranksOfNodes(int[] nodes) {
    List<List<Integer>> ranks = new ArrayList<>();
    int count = groupsMax(Scheme.LPS, nodes);
    for (int node = 0; node < count; node++) ranks.add(new ArrayList<>());
    for (int rank = 0; rank < nodes.length; rank++) ranks.get(nodes[rank]).add(rank);
    return ranks;
  }

  public List<AggregationGroup> groups() {
    return groups;
  }

  /** The number of a rank's group. */
  public int groupOf(int rank) {
    return groupOfRank[rank];
  }
}
