// SPDX-License-Identifier: Apache-2.0

package io.forebay.metrics;

import io.forebay.base.latency.Latencies;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The values of one scrape, by metric. Filled and read by one thread. */
public final class Samples {
  /** What is beyond is left out: the bound of one answer. */
  static final int SAMPLES_MAX = 50_000;

  /** A value. */
  public sealed interface Value {
    record Amount(double value) implements Value {}

    record Durations(Latencies latencies) implements Value {}
  }

  /**
   * A value with its labels.
   *
   * @param labels in the order of the metric's
   */
  public record Sample(List<String> labels, Value value) {}

  private final Map<Metric, List<Sample>> samples = new LinkedHashMap<>();
  private final Set<Series> known = new HashSet<>();
  private long leftOut;

  private record Series(String metric, List<String> labels) {}

  /** A value of a counter or gauge. */
  public void add(Metric metric, double value, String... labels) {
    if (metric.kind() == Metric.Kind.HISTOGRAM) throw new IllegalArgumentException(metric.name());
    add(metric, new Value.Amount(value), labels);
  }

  /** The same of a whole number; beyond 2^53 its last digits are lost. */
  public void add(Metric metric, long value, String... labels) {
    add(metric, (double) value, labels);
  }

  /** The values of a histogram. */
  public void add(Metric metric, Latencies latencies, String... labels) {
    if (metric.kind() != Metric.Kind.HISTOGRAM) throw new IllegalArgumentException(metric.name());
    add(metric, new Value.Durations(latencies), labels);
  }

  private void add(Metric metric, Value value, String... labels) {
    List<String> given = List.of(labels);
    if (given.size() != metric.labels().size()) {
      throw new IllegalArgumentException(metric.name() + " has the labels " + metric.labels());
    }
    // A second value would make the whole answer unreadable for a scraper.
    if (known.size() >= SAMPLES_MAX || !known.add(new Series(metric.name(), given))) {
      leaveOut();
      return;
    }
    samples.computeIfAbsent(metric, key -> new ArrayList<>()).add(new Sample(given, value));
  }

  /** All values, in the order in which their metrics were first added. */
  public Map<Metric, List<Sample>> all() {
    return samples;
  }

  /** Something that should be here is not. */
  void leaveOut() {
    leftOut++;
  }

  /** How many values were beyond the bound, or there already. */
  public long leftOut() {
    return leftOut;
  }
}
