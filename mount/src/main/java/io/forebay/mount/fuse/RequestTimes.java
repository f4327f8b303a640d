// SPDX-License-Identifier: Apache-2.0

package io.forebay.mount.fuse;

import io.forebay.base.latency.Latencies;
import io.forebay.base.latency.LatencyHistogram;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;

/** How long a thread was busy with requests. That thread adds; any thread copies. */
final class RequestTimes {
  private final Map<RequestKind, LatencyHistogram> times = new EnumMap<>(RequestKind.class);

  RequestTimes() {
    for (RequestKind each : RequestKind.values()) times.put(each, new LatencyHistogram());
  }

  void add(RequestKind kind, long nanos) {
    Objects.requireNonNull(times.get(kind), "each has one").add(nanos);
  }

  /** Adds these to a sum. */
  void addTo(Map<RequestKind, Latencies> sum) {
    times.forEach((kind, histogram) -> sum.merge(kind, histogram.now(), Latencies::with));
  }

  static Map<RequestKind, Latencies> none() {
    return new EnumMap<>(RequestKind.class);
  }
}
