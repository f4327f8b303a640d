// SPDX-License-Identifier: Apache-2.0

package io.forebay.bench;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A benchmark's results with everything needed to judge and to repeat them, in the common form of
 * all benchmarks.
 *
 * @param commit the commit of the program
 */
public record Report(
    String bench, String commit, Machine machine, long seed, Benchmark.Outcome outcome) {
  /** More digits than this are noise. */
  private static final MathContext DIGITS = new MathContext(5);

  /** As maps, lists, strings, numbers and booleans, to be written as JSON. */
  public Map<String, @Nullable Object> toTree() {
    Map<String, @Nullable Object> tree = new LinkedHashMap<>();
    tree.put("bench", bench);
    tree.put("commit", commit);
    Map<String, Object> on = new LinkedHashMap<>();
    on.put("cores", machine.cores());
    on.put("memoryBytes", machine.memoryBytes());
    on.put("java", machine.java());
    tree.put("machine", on);
    tree.put("seed", seed);
    tree.put("notes", outcome.notes());
    List<Map<String, @Nullable Object>> results = new ArrayList<>();
    for (Result result : outcome.results()) results.add(tree(result));
    tree.put("results", results);
    return tree;
  }

  private static Map<String, @Nullable Object> tree(Result result) {
    Result.Baseline baseline = result.baseline();
    Samples beside = baseline == null ? null : baseline.samples();
    Map<String, @Nullable Object> tree = new LinkedHashMap<>();
    tree.put("name", result.name());
    tree.put("value", rounded(result.value().median()));
    tree.put("unit", result.unit());
    tree.put("better", result.better().name().toLowerCase(Locale.ROOT));
    tree.put("baseline", beside == null ? null : rounded(beside.median()));
    tree.put("baselineName", baseline == null ? null : baseline.name());
    tree.put("ratio", rounded(result.ratio()));
    tree.put("aim", rounded(result.aim()));
    tree.put("met", result.met());
    tree.put("valueMin", rounded(result.value().min()));
    tree.put("valueMax", rounded(result.value().max()));
    tree.put("baselineMin", beside == null ? null : rounded(beside.min()));
    tree.put("baselineMax", beside == null ? null : rounded(beside.max()));
    tree.put("measurements", result.value().count());
    return tree;
  }

  private static @Nullable BigDecimal rounded(@Nullable Double figure) {
    if (figure == null) return null;
    BigDecimal shortened = new BigDecimal(figure).round(DIGITS).stripTrailingZeros();
    // Never as 2E+3, which JSON allows but some readers do not expect.
    return shortened.scale() < 0 ? shortened.setScale(0) : shortened;
  }
}
