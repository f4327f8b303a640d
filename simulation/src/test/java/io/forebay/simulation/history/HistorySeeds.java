// SPDX-License-Identifier: Apache-2.0

package io.forebay.simulation.history;

import io.forebay.testing.TestSeed;

/** The first seed of a random test: printed, and taken from {@code -Dforebay.seed} if given. */
final class HistorySeeds {
  private HistorySeeds() {}

  static long first(String test) {
    long drawn = TestSeed.first(test);
    long seed = TestSeed.isGiven() ? drawn : drawn >>> 1;
    System.out.println(test + ": -Dforebay.seed=" + seed);
    return seed;
  }

  /** How many seeds are tried, from the first on: one if it was given. */
  static int count(int wanted) {
    return TestSeed.runs(wanted);
  }
}
