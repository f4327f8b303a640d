package io.forebay.server;

import java.util.Random;

/** The seed of a random test: printed, and taken from {@code -Dforebay.seed=} if it is given. */
final class Seed {
  private Seed() {}

  static Random random(String test) {
    long seed = Long.getLong("forebay.seed", System.nanoTime());
    System.out.println(test + ": run again with -Dforebay.seed=" + seed);
    return new Random(seed);
  }
}
