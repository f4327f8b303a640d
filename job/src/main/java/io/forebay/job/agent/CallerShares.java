// SPDX-License-Identifier: Apache-2.0

package io.forebay.job.agent;

import java.util.HashMap;
import java.util.Map;

/** How many connections each user has, and how many it may have. Any thread. */
final class CallerShares {
  private final int ofUserMax;
  private final Map<String, Integer> taken = new HashMap<>();

  CallerShares(int ofUserMax) {
    this.ofUserMax = ofUserMax;
  }

  /** Whether the user gets one more. */
  synchronized boolean take(String user) {
    int has = taken.getOrDefault(user, 0);
    if (has >= ofUserMax) return false;
    taken.put(user, has + 1);
    return true;
  }

  /** The user gives one back. */
  synchronized void giveBack(String user) {
    taken.computeIfPresent(user, (name, has) -> has == 1 ? null : has - 1);
  }
}
