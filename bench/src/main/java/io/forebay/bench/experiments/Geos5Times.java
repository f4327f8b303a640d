// SPDX-License-Identifier: Apache-2.0

package io.forebay.bench.experiments;

import io.forebay.bench.geos5.model.StepTimes;
import io.forebay.bench.geos5.model.Way;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;

/**
 * The times of all ways of writing with all numbers of ranks.
 *
 * @param ranks from few to many
 */
record Geos5Times(List<Integer> ranks, Map<Way, Map<Integer, StepTimes>> steps) {
  /** A part of a step's time. */
  interface Part extends ToLongFunction<StepTimes> {}

  static final Part TOTAL = StepTimes::totalNanos;
  static final Part CREATE = StepTimes::createNanos;
  static final Part MOVE = StepTimes::moveNanos;
  static final Part LAST_MOVE = StepTimes::lastMoveNanos;
  static final Part WRITE = StepTimes::writeNanos;
  static final Part COLLECTIVE_WRITE = StepTimes::collectiveWriteNanos;

  /** The schemes as in the paper. */
  static final List<Way> SCHEMES = List.of(Way.BPS, Way.LPS, Way.IPS);

  double seconds(Way way, int size, Part part) {
    StepTimes times = steps.getOrDefault(way, Map.of()).get(size);
    if (times == null) throw new IllegalStateException(way + " with " + size + " was not measured");
    return part.applyAsLong(times) / (double) TimeUnit.SECONDS.toNanos(1);
  }

  /** One part with each number of ranks. */
  List<Double> row(Way way, Part part) {
    return ranks.stream().map(size -> seconds(way, size, part)).toList();
  }

  /** A part as a share of the whole, with each number of ranks. */
  List<Double> shares(Way way, Part part) {
    return ranks.stream()
        .map(size -> seconds(way, size, part) / seconds(way, size, TOTAL))
        .toList();
  }

  /** The number of ranks with which a way is fastest. */
  int fastestRanks(Way way, Part part) {
    return ranks.stream()
        .min(Comparator.comparingDouble(size -> seconds(way, size, part)))
        .orElseThrow();
  }

  /** The scheme with the least of a part. */
  Way least(int size, Part part) {
    return SCHEMES.stream()
        .min(Comparator.comparingDouble(way -> seconds(way, size, part)))
        .orElseThrow();
  }

  /** The scheme with the most of a part. */
  Way most(int size, Part part) {
    return SCHEMES.stream()
        .max(Comparator.comparingDouble(way -> seconds(way, size, part)))
        .orElseThrow();
  }

  /** By which part of GEOS5-NetCDF's time a way is faster, on average. */
  double reduction(Way way) {
    return ranks.stream()
        .mapToDouble(size -> 1 - seconds(way, size, TOTAL) / seconds(Way.NETCDF, size, TOTAL))
        .average()
        .orElseThrow();
  }

  /** Seconds as text, from few ranks to many. */
  static String text(List<Double> seconds) {
    return seconds.stream()
            .map(each -> String.format(Locale.ROOT, "%.3f", each))
            .collect(Collectors.joining(", "))
        + " s";
  }

  static String percent(List<Double> shares) {
    return shares.stream()
            .map(each -> String.format(Locale.ROOT, "%.0f", 100 * each))
            .collect(Collectors.joining(", "))
        + " %";
  }
}
