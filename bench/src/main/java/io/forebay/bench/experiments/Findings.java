// SPDX-License-Identifier: Apache-2.0

package io.forebay.bench.experiments;

import io.forebay.bench.Result;
import java.util.List;

/**
 * The results of an experiment.
 *
 * @param name of the experiment, which is also that of its plot's file
 */
public record Findings(
    String name, List<Result> results, List<Comparison> comparisons, BarChart chart) {
  public Findings {
    results = List.copyOf(results);
    comparisons = List.copyOf(comparisons);
  }
}
