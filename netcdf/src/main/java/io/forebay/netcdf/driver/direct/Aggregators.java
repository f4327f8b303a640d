// SPDX-License-Identifier: Apache-2.0

package io.forebay.netcdf.driver.direct;

import io.forebay.parallel.Group;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The ranks that read and write for all, and the part of a file's range that each has: domains of
 * equal length, cut at multiples of the stripe, so that no two aggregators share a stripe.
 */
final class Aggregators {
  private static final int PER_NODE = 2;

  private final int[] ranks;
  private final long start;
  private final long end;
  private final long domainBytes;

  private Aggregators(int[] ranks, long start, long end, long domainBytes) {
    this.ranks = ranks;
    this.start = start;
    this.end = end;
    this.domainBytes = domainBytes;
  }

  /** Chooses the aggregators: the first ranks of each node, in the order of ranks. */
  static int[] choose(Group group, int wanted) {
    int nodes = 0;
    for (int rank = 0; rank < group.size(); rank++) nodes = Math.max(nodes, group.node(rank) + 1);
    int count = Math.min(group.size(), wanted == 0 ? PER_NODE * nodes : wanted);
    int[] taken = new int[nodes];
    List<Integer> chosen = new ArrayList<>();
    // Nodes take turns: the first rank of each, then the second of each, and so on.
    for (int turn = 0; chosen.size() < count; turn++) {
      Arrays.fill(taken, 0);
      for (int rank = 0; rank < group.size() && chosen.size() < count; rank++) {
        if (taken[group.node(rank)]++ == turn) chosen.add(rank);
      }
    }
    int[] ranks = new int[count];
    for (int i = 0; i < count; i++) ranks[i] = chosen.get(i);
    Arrays.sort(ranks);
    return ranks;
  }

  /** Cuts the range between the aggregators. */
  static Aggregators over(int[] ranks, long start, long end, int stripeBytes) {
    long aligned = start / stripeBytes * stripeBytes;
    long each = Math.ceilDiv(end - aligned, ranks.length);
    long domainBytes = Math.max(1, Math.ceilDiv(each, stripeBytes)) * stripeBytes;
    return new Aggregators(ranks, aligned, end, domainBytes);
  }

  int count() {
    return ranks.length;
  }

  int rank(int aggregator) {
    return ranks[aggregator];
  }

  /** The number of a rank's aggregator; -1 if the rank is not one. */
  int indexOf(int rank) {
    for (int i = 0; i < ranks.length; i++) {
      if (ranks[i] == rank) return i;
    }
    return -1;
  }

  /** The length of a domain; the last ones may be shorter, or empty. */
  long domainBytes() {
    return domainBytes;
  }

  long domainStart(int aggregator) {
    return start + aggregator * domainBytes;
  }

  long domainEnd(int aggregator) {
    return Math.min(end, domainStart(aggregator) + domainBytes);
  }
}
