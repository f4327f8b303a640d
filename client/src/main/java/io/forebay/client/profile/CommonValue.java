// SPDX-License-Identifier: Apache-2.0

package io.forebay.client.profile;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A value that occurred often.
 *
 * @param count how often at least
 */
public record CommonValue(long value, long count) {
  /** Values that are kept of many. */
  public static final int KEPT_MAX = 16;

  /** The values of both lists, the most common first. */
  static List<CommonValue> sum(List<CommonValue> first, List<CommonValue> second) {
    Map<Long, Long> counts = new LinkedHashMap<>();
    for (CommonValue each : first) counts.merge(each.value, each.count, Long::sum);
    for (CommonValue each : second) counts.merge(each.value, each.count, Long::sum);
    List<CommonValue> all = new ArrayList<>();
    counts.forEach((value, count) -> all.add(new CommonValue(value, count)));
    all.sort(Comparator.comparingLong(CommonValue::count).reversed());
    return all.subList(0, Math.min(all.size(), KEPT_MAX));
  }
}
