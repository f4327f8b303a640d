// SPDX-License-Identifier: Apache-2.0

package io.forebay.server.metrics;

import io.forebay.metrics.Metric;
import io.forebay.metrics.Samples;
import java.util.List;
import java.util.function.ToDoubleFunction;

/** How a metric is read from figures. */
record Reading<T>(Metric metric, ToDoubleFunction<T> from) {
  static final double SECOND_NANOS = 1e9;

  static <T> void all(List<Reading<T>> readings, T figures, Samples to, String... labels) {
    for (Reading<T> each : readings) {
      to.add(each.metric, each.from.applyAsDouble(figures), labels);
    }
  }

  static <T> List<Metric> metrics(List<Reading<T>> readings) {
    return readings.stream().map(each -> each.metric).toList();
  }

  static double flag(boolean whether) {
    return whether ? 1 : 0;
  }

  static double seconds(long nanos) {
    return nanos / SECOND_NANOS;
  }
}
