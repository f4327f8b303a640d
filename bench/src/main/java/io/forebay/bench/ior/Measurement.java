// SPDX-License-Identifier: Apache-2.0

package io.forebay.bench.ior;

import io.forebay.bench.Rate;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.ToLongFunction;

/**
 * A line of IOR's table: one phase of one iteration. Each time is from the first task's begin to
 * the last task's end.
 *
 * @param access {@code write} or {@code read}
 * @param latencySeconds of one transfer, on average
 * @param moveSeconds IOR's {@code wr/rd}; forces are part of it
 */
public record Measurement(
    String access,
    int iteration,
    double mibPerSecond,
    double transfersPerSecond,
    double latencySeconds,
    double openSeconds,
    double moveSeconds,
    double closeSeconds,
    double totalSeconds) {
  static Measurement of(IorLayout layout, Phase.Kind kind, int iteration, List<RankTimes> times) {
    long totalNanos = span(times, RankTimes::openNanos, RankTimes::closedNanos);
    long moveNanos = span(times, RankTimes::moveNanos, RankTimes::movedNanos);
    long transfers = layout.transfersPerTask() * layout.tasks();
    return new Measurement(
        kind.name().toLowerCase(Locale.ROOT),
        iteration,
        Rate.mibPerSecond(layout.totalBytes(), totalNanos),
        Rate.perSecond(transfers, moveNanos),
        seconds(moveNanos) * layout.tasks() / transfers,
        seconds(span(times, RankTimes::openNanos, RankTimes::openedNanos)),
        seconds(moveNanos),
        seconds(span(times, RankTimes::closeNanos, RankTimes::closedNanos)),
        seconds(totalNanos));
  }

  private static long span(
      List<RankTimes> times, ToLongFunction<RankTimes> from, ToLongFunction<RankTimes> to) {
    long first = Long.MAX_VALUE;
    long last = Long.MIN_VALUE;
    for (RankTimes each : times) {
      first = Math.min(first, from.applyAsLong(each));
      last = Math.max(last, to.applyAsLong(each));
    }
    // Never 0, so that rates are finite.
    return Math.max(1, last - first);
  }

  private static double seconds(long nanos) {
    return (double) nanos / TimeUnit.SECONDS.toNanos(1);
  }

  Map<String, Object> toTree() {
    Map<String, Object> tree = new LinkedHashMap<>();
    tree.put("access", access);
    tree.put("iteration", iteration);
    tree.put("mibPerSecond", mibPerSecond);
    tree.put("iops", transfersPerSecond);
    tree.put("latencySeconds", latencySeconds);
    tree.put("openSeconds", openSeconds);
    tree.put("moveSeconds", moveSeconds);
    tree.put("closeSeconds", closeSeconds);
    tree.put("totalSeconds", totalSeconds);
    return tree;
  }
}
