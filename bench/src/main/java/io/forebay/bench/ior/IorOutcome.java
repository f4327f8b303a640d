// SPDX-License-Identifier: Apache-2.0

package io.forebay.bench.ior;

import io.forebay.bench.Rate;
import io.forebay.bench.Result;
import io.forebay.bench.Result.Better;
import io.forebay.bench.Samples;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The result of a run.
 *
 * @param measurements in the order in which they were made
 * @param wrong transfers with wrong content
 */
public record IorOutcome(IorPlan plan, List<Measurement> measurements, long wrong) {
  public IorOutcome {
    measurements = List.copyOf(measurements);
  }

  /** IOR's summary of one access over all iterations. */
  public record Summary(
      String access, double max, double min, double mean, double deviation, double meanSeconds) {}

  public List<Summary> summaries() {
    List<Summary> summaries = new ArrayList<>();
    for (Map.Entry<String, List<Measurement>> each : byAccess().entrySet()) {
      double[] rates = each.getValue().stream().mapToDouble(Measurement::mibPerSecond).toArray();
      double sum = 0;
      double squares = 0;
      for (double rate : rates) {
        sum += rate;
        squares += rate * rate;
      }
      double mean = sum / rates.length;
      double seconds =
          each.getValue().stream().mapToDouble(Measurement::totalSeconds).average().orElse(0);
      Samples samples = Samples.of(rates);
      summaries.add(
          new Summary(
              each.getKey(),
              samples.max(),
              samples.min(),
              mean,
              Math.sqrt(Math.max(0, squares / rates.length - mean * mean)),
              seconds));
    }
    return summaries;
  }

  /** In the form that all benchmarks have. */
  public List<Result> results() {
    List<Result> results = new ArrayList<>();
    for (Map.Entry<String, List<Measurement>> each : byAccess().entrySet()) {
      results.add(
          Result.of(
              each.getKey(),
              Rate.MIB_PER_SECOND,
              Better.HIGHER,
              Samples.of(each.getValue(), Measurement::mibPerSecond)));
    }
    return results;
  }

  /** All lines, to be written as JSON. */
  public List<Map<String, Object>> lines() {
    return measurements.stream().map(Measurement::toTree).toList();
  }

  private Map<String, List<Measurement>> byAccess() {
    Map<String, List<Measurement>> byAccess = new LinkedHashMap<>();
    for (Measurement each : measurements) {
      byAccess.computeIfAbsent(each.access(), access -> new ArrayList<>()).add(each);
    }
    return byAccess;
  }
}
