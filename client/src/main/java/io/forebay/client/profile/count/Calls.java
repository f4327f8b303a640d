// SPDX-License-Identifier: Apache-2.0

package io.forebay.client.profile.count;

import io.forebay.client.profile.Call;
import io.forebay.client.profile.CallCounts;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Counts calls and their times. One owner. */
final class Calls {
  private static final int CALLS = Call.values().length;

  private final long[] counts = new long[CALLS];
  private final long[] nanos = new long[CALLS];

  void add(int call, long tookNanos) {
    counts[call]++;
    nanos[call] += tookNanos;
  }

  /** Two calls were one; the time is that of both. */
  void joined(Call call) {
    counts[call.place()]--;
  }

  CallCounts counted() {
    List<Long> countList = new ArrayList<>();
    List<Long> nanosList = new ArrayList<>();
    for (int i = 0; i < CALLS; i++) {
      countList.add(counts[i]);
      nanosList.add(nanos[i]);
    }
    return new CallCounts(countList, nanosList);
  }

  void clear() {
    Arrays.fill(counts, 0);
    Arrays.fill(nanos, 0);
  }
}
