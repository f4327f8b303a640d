// SPDX-License-Identifier: Apache-2.0

package io.forebay.drain;

import io.forebay.testing.TestSeed;
import java.util.Random;
import java.util.function.Consumer;

/** Random tests: each run has a seed, told when it fails, and taken from the outside if given. */
public final class Seeds {
  private static final String PROPERTY = "forebay.seed";

  private Seeds() {}

  /** Runs a test with so many seeds, or with the one that is given. */
  public static void run(int runs, Consumer<Random> test) {
    long first = TestSeed.first("drain");
    Random seeds = new Random(first);
    for (int run = 0; run < TestSeed.runs(runs); run++) {
      long seed = run == 0 ? first : seeds.nextLong();
      try {
        test.accept(new Random(seed));
      } catch (AssertionError | RuntimeException e) {
        throw new AssertionError("failed with -D" + PROPERTY + "=" + seed, e);
      }
    }
  }
}
