package io.forebay.backing;

import java.util.SplittableRandom;

/** The seed of a random test: printed, and taken from {@code -Dforebay.seed} if that is given. */
public final class TestSeed {
  private static final String KEY = "forebay.seed";

  private TestSeed() {}

  public static long next(String test) {
    Long given = Long.getLong(KEY);
    long seed = given != null ? given : new SplittableRandom().nextLong();
    System.out.println(test + ": -D" + KEY + "=" + seed);
    return seed;
  }
}
