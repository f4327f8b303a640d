// SPDX-License-Identifier: Apache-2.0

package io.forebay.netcdf.bundle.partition;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;

/** Treats small bundles as one where there are more bundles than groups. */
final class Merging {
  /** Bundles that one group writes. */
  private record Merged(long bytes, List<Integer> bundles) {
    Merged with(Merged other) {
      List<Integer> all = new ArrayList<>(bundles);
      all.addAll(other.bundles);
      Collections.sort(all);
      return new Merged(bytes + other.bytes, all);
    }
  }

  private Merging() {}

  /**
   * The bundles of each group: the two smallest become one until there are few enough. Groups are
   * in the order of their first bundles.
   */
  static List<List<Integer>> atMost(int groups, long[] sizes) {
    PriorityQueue<Merged> smallest =
        new PriorityQueue<>(
            Comparator.comparingLong(Merged::bytes).thenComparing(m -> m.bundles.getFirst()));
    for (int i = 0; i < sizes.length; i++) smallest.add(new Merged(sizes[i], List.of(i)));
    while (smallest.size() > groups) smallest.add(smallest.remove().with(smallest.remove()));
    List<List<Integer>> result = new ArrayList<>();
    for (Merged merged : smallest) result.add(merged.bundles);
    result.sort(Comparator.comparing(List::getFirst));
    return result;
  }
}
