// SPDX-License-Identifier: Apache-2.0

package io.forebay.testing.fuzz;

import io.forebay.testing.TestSeed;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/**
 * Feeds a target: first the kept inputs and some valid ones, then changed copies of them, in an
 * order that follows from the test's seed. With {@code -Dforebay.fuzz.coverage.minutes=N} it lets
 * {@link CoverageRun} search instead. A test class that uses it has {@code public static void
 * fuzzerTestOneInput(byte[])}, which is the target and the name by which Jazzer finds it.
 */
public final class FuzzRun {
  private static final String MINUTES = "forebay.fuzz.coverage.minutes";

  private final Class<?> test;
  private final String name;
  private final List<byte[]> valid;

  /**
   * A run for a test class.
   *
   * @param name of the target, and of the folder of its kept inputs
   * @param valid inputs that the target reads, made by the code as it is now
   */
  public FuzzRun(Class<?> test, String name, List<byte[]> valid) {
    this.test = test;
    this.name = name;
    this.valid = List.copyOf(valid);
  }

  /**
   * Plays all.
   *
   * @param changed how many changed inputs to play
   */
  public void play(FuzzTarget target, int changed) {
    double minutes = Double.parseDouble(System.getProperty(MINUTES, "0"));
    List<byte[]> inputs = new ArrayList<>(valid);
    Map<String, byte[]> kept = Corpus.of(test, name);
    inputs.addAll(kept.values());
    if (inputs.isEmpty()) inputs.add(new byte[0]);
    kept.forEach((file, input) -> take(target, input, "the kept input '" + file + "'"));
    if (minutes > 0) {
      new CoverageRun(test, name).run(inputs, minutes);
      return;
    }
    for (byte[] input : valid) take(target, input, "a valid input");
    long seed = TestSeed.next(test.getSimpleName());
    Mutations mutations = new Mutations(new SplittableRandom(seed), inputs);
    for (int i = 0; i < changed; i++) {
      take(target, mutations.next(), "changed input " + i + " of seed " + seed);
    }
  }

  private void take(FuzzTarget target, byte[] input, String what) {
    try {
      target.take(input);
    } catch (RuntimeException | Error e) {
      String text = Base64.getEncoder().encodeToString(input);
      throw new AssertionError(
          "target '%s' fails with %s; keep it in corpus/%s: %s".formatted(name, what, name, text),
          e);
    }
  }
}
