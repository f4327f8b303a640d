// SPDX-License-Identifier: Apache-2.0

package io.forebay.testing;

import java.nio.charset.StandardCharsets;
import java.util.SplittableRandom;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * The seeds of random tests. {@code -Dforebay.seed=} gives one to a test that is run again. Without
 * it seeds follow from {@code -Dforebay.series=} and the test's name: {@code ./forebay test} sets
 * the series by the committed sources, so that what has passed passes again. Without a series each
 * run draws seeds that were not played before.
 */
public final class TestSeed {
  private static final String SEED = "forebay.seed";
  private static final String SERIES = "forebay.series";

  private TestSeed() {}

  /** A seed for a test, printed with how to run it again. */
  public static long next(String test) {
    long seed = first(test);
    System.out.println(test + ": run again with -D" + SEED + "=" + seed);
    return seed;
  }

  /** The same without printing, for tests that print it when they fail. */
  public static long first(String test) {
    Long given = Long.getLong(SEED);
    return given != null ? given : series(test).nextLong();
  }

  /** Whether one seed was asked for: then a test plays that one alone. */
  public static boolean isGiven() {
    return System.getProperty(SEED) != null;
  }

  /** How many seeds a test plays that would play this many. */
  public static int runs(int wanted) {
    return isGiven() ? 1 : wanted;
  }

  /** Seeds for a test that plays as many as it finds time for. */
  public static SplittableRandom series(String test) {
    return series(System.getProperty(SERIES), test);
  }

  static SplittableRandom series(@Nullable String name, String test) {
    if (name == null || name.isBlank()) return new SplittableRandom();
    return new SplittableRandom(hash(name) << Integer.SIZE | hash(test));
  }

  private static long hash(String text) {
    CRC32C sum = new CRC32C();
    sum.update(text.getBytes(StandardCharsets.UTF_8));
    return sum.getValue();
  }
}
