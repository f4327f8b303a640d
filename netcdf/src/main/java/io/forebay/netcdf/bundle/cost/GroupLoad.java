// SPDX-License-Identifier: Apache-2.0

package io.forebay.netcdf.bundle.cost;

import io.forebay.netcdf.bundle.plan.GroupPlan;
import io.forebay.netcdf.bundle.plan.Window;
import java.nio.LongBuffer;
import java.util.List;

/**
 * The work of a group's root in one step. It stands for all members: they receive about as much in
 * the shuffle, and it also gathers and writes.
 *
 * @param nearMessages from ranks of its node
 * @param nearBytes in them
 * @param farMessages from ranks of other nodes
 * @param farBytes in them
 * @param files how many the group creates
 * @param writerBytes what one writer of the group writes
 */
record GroupLoad(
    long nearMessages,
    long nearBytes,
    long farMessages,
    long farBytes,
    long files,
    long writerBytes) {
  static final int NUMBERS = 6;

  /**
   * The load of a plan.
   *
   * @param nodes of each rank, its node
   */
  static GroupLoad of(GroupPlan group, int[] nodes) {
    int files = group.group().bundles().size();
    GroupLoad writing =
        new GroupLoad(0, 0, 0, 0, files, bytesOf(group) / group.aggregators().length);
    return writing.plusShuffle(group, nodes).plusGather(group, nodes);
  }

  private static long bytesOf(GroupPlan group) {
    return group.stripBytes(0, group.endStrip(group.rounds() - 1));
  }

  private GroupLoad plusShuffle(GroupPlan group, int[] nodes) {
    List<Integer> sources = group.sources(0);
    double received = 0;
    for (int round = 0; round < group.rounds(); round++) received += group.receivedBytes(round, 0);
    double messages = (double) group.rounds() * (sources.size() - 1);
    return plus(nearShare(sources, group.group().root(), nodes), messages, received);
  }

  private GroupLoad plusGather(GroupPlan group, int[] nodes) {
    double messages = 0;
    double received = 0;
    for (Window window : group.windows(0)) {
      if (window.aggregator() != 0) continue;
      for (int member = 1; member < group.group().size(); member++) {
        long contributed = group.contributedBytes(window, member);
        if (contributed > 0) messages++;
        received += contributed;
      }
    }
    // Rounds are alike, but for the last.
    double rounds = (double) bytesOf(group) / Math.max(1, group.stripBytes(0, group.endStrip(0)));
    double near = nearShare(group.group().ranks(), group.group().root(), nodes);
    return plus(near, messages * rounds, received * rounds);
  }

  private GroupLoad plus(double nearShare, double messages, double received) {
    return new GroupLoad(
        nearMessages + Math.round(nearShare * messages),
        nearBytes + Math.round(nearShare * received),
        farMessages + Math.round((1 - nearShare) * messages),
        farBytes + Math.round((1 - nearShare) * received),
        files,
        writerBytes);
  }

  /** How many of the other ranks are on a rank's node. */
  private static double nearShare(List<Integer> ranks, int rank, int[] nodes) {
    int near = 0;
    int others = 0;
    for (int other : ranks) {
      if (other == rank) continue;
      others++;
      if (nodes[other] == nodes[rank]) near++;
    }
    return others == 0 ? 1 : (double) near / others;
  }

  void write(LongBuffer numbers) {
    numbers.put(nearMessages).put(nearBytes).put(farMessages).put(farBytes);
    numbers.put(files).put(writerBytes);
  }

  static GroupLoad read(LongBuffer numbers) {
    return new GroupLoad(
        numbers.get(), numbers.get(), numbers.get(), numbers.get(), numbers.get(), numbers.get());
  }
}
