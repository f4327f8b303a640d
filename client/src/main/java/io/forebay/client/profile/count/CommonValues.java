// SPDX-License-Identifier: Apache-2.0

package io.forebay.client.profile.count;

import io.forebay.client.profile.CommonValue;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/**
 * The most common of many values, in bounded memory, by the space-saving algorithm: a value that is
 * not in the full table takes the place of the least common one, with its count as possible error.
 * Each value that makes up more than one {@link #KEPT_MAX}th of all is in the table. One owner.
 */
final class CommonValues {
  private static final int KEPT_MAX = CommonValue.KEPT_MAX;

  private final long[] values = new long[KEPT_MAX];
  private final long[] counts = new long[KEPT_MAX];
  private final long[] errors = new long[KEPT_MAX];
  private int kept;

  void add(long value) {
    for (int i = 0; i < kept; i++) {
      if (values[i] != value) continue;
      counts[i]++;
      // The most common ones are found first.
      if (i > 0 && counts[i] > counts[i - 1]) swap(i, i - 1);
      return;
    }
    if (kept < KEPT_MAX) {
      set(kept++, value, 0);
      return;
    }
    int least = 0;
    for (int i = 1; i < kept; i++) if (counts[i] <= counts[least]) least = i;
    set(least, value, counts[least]);
  }

  private void set(int at, long value, long error) {
    values[at] = value;
    counts[at] = error + 1;
    errors[at] = error;
  }

  private void swap(int a, int b) {
    swap(values, a, b);
    swap(counts, a, b);
    swap(errors, a, b);
  }

  private static void swap(long[] array, int a, int b) {
    long kept = array[a];
    array[a] = array[b];
    array[b] = kept;
  }

  /** The table, the most common first, with counts that are not too high. */
  List<CommonValue> counted() {
    List<CommonValue> all = new ArrayList<>();
    for (int i = 0; i < kept; i++) all.add(new CommonValue(values[i], counts[i] - errors[i]));
    all.sort(Comparator.comparingLong(CommonValue::count).reversed());
    return all;
  }

  void clear() {
    kept = 0;
    Arrays.fill(counts, 0);
  }
}
