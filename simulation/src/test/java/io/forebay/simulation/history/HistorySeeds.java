package io.forebay.simulation.history;

import java.util.SplittableRandom;

/** The first seed of a random test: printed, and taken from {@code -Dforebay.seed} if given. */
final class HistorySeeds {
  private HistorySeeds() {}

  static long first(String test) {
    Long given = Long.getLong("forebay.seed");
    long seed = given != null ? given : new SplittableRandom().nextLong() >>> 1;
    System.out.println(test + ": -Dforebay.seed=" + seed);
    return seed;
  }

  /** How many seeds are tried, from the first on: one if it was given. */
  static int count(int wanted) {
    return Long.getLong("forebay.seed") != null ? 1 : wanted;
  }
}
