// SPDX-License-Identifier: Apache-2.0

package io.forebay.bench.experiments.report;

import io.forebay.bench.Result;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The results of an experiment.
 *
 * @param name of the experiment
 * @param statements what the paper says in words, judged
 * @param charts by the names of their files
 */
public record Findings(
    String name,
    List<Result> results,
    List<Comparison> comparisons,
    List<Statement> statements,
    Map<String, BarChart> charts) {
  public Findings {
    results = List.copyOf(results);
    comparisons = List.copyOf(comparisons);
    statements = List.copyOf(statements);
    charts = Collections.unmodifiableMap(new LinkedHashMap<>(charts));
  }

  /** With one chart of the experiment's own name. */
  public Findings(String name, List<Result> results, List<Comparison> comparisons, BarChart chart) {
    this(name, results, comparisons, List.of(), Map.of(name, chart));
  }
}
