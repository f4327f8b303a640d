// SPDX-License-Identifier: Apache-2.0

package io.forebay.bench;

import java.util.Arrays;
import java.util.List;
import java.util.function.ToDoubleFunction;

/** The results of repeated measurements of the same thing. */
public final class Samples {
  private final double[] sorted;

  private Samples(double[] sorted) {
    this.sorted = sorted;
  }

  public static Samples of(double... values) {
    if (values.length == 0) throw new IllegalArgumentException("no samples");
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    return new Samples(sorted);
  }

  /** One figure out of each of several measurements. */
  public static <T> Samples of(List<T> measurements, ToDoubleFunction<T> figure) {
    return of(measurements.stream().mapToDouble(figure).toArray());
  }

  public double median() {
    int middle = sorted.length / 2;
    return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
  }

  public double min() {
    return sorted[0];
  }

  public double max() {
    return sorted[sorted.length - 1];
  }

  public int count() {
    return sorted.length;
  }
}
