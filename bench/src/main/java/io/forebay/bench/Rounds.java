// SPDX-License-Identifier: Apache-2.0

package io.forebay.bench;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Measures several things in turn, so that other load on the machine affects all of them alike.
 * Every other round runs in reverse order, so that no trial is always measured after the same one.
 */
public final class Rounds {
  /** The minimum number of measurements of each thing. */
  public static final int COUNT_MIN = 5;

  /** Measures one thing once. Preparation is not timed. */
  public interface Trial<T> {
    T measure() throws IOException, InterruptedException;
  }

  private Rounds() {}

  /**
   * The measurements of each trial, in the order of the trials.
   *
   * @param warmUps rounds that come first and do not count
   */
  public static <T> List<List<T>> run(int count, int warmUps, List<Trial<T>> trials)
      throws IOException, InterruptedException {
    if (count < COUNT_MIN) throw new IllegalArgumentException("only " + count + " rounds");
    List<List<T>> measured = new ArrayList<>();
    for (int i = 0; i < trials.size(); i++) measured.add(new ArrayList<>());
    for (int round = -warmUps; round < count; round++) {
      for (int i = 0; i < trials.size(); i++) {
        int trial = Math.floorMod(round, 2) == 0 ? i : trials.size() - 1 - i;
        T measurement = trials.get(trial).measure();
        if (round >= 0) measured.get(trial).add(measurement);
      }
    }
    return measured;
  }

  /** The same for trials that give a single figure. */
  public static List<Samples> figures(int count, int warmUps, List<Trial<Double>> trials)
      throws IOException, InterruptedException {
    return run(count, warmUps, trials).stream()
        .map(figures -> Samples.of(figures, Double::doubleValue))
        .toList();
  }
}
