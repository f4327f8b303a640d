// SPDX-License-Identifier: Apache-2.0

package io.forebay.mount.fuse;

import io.forebay.base.latency.Latencies;
import io.forebay.base.latency.LatencyHistogram;
import java.util.EnumMap;
import java.util.Map;

/** How long a thread was busy with requests. That thread adds; any thread copies. */
final class RequestTimes {
  private final LatencyHistogram[] times = new LatencyHistogram[RequestKind.values().length];

  RequestTimes() {
    for (int i = 0; i < times.length; i++) times[i] = new LatencyHistogram();
  }

  void add(RequestKind kind, long nanos) {
    times[kind.ordinal()].add(nanos);
  }

  /** Adds these to a sum. */
  void addTo(Map<RequestKind, Latencies> sum) {
    for (RequestKind kind : RequestKind.values()) {
      sum.merge(kind, times[kind.ordinal()].now(), Latencies::with);
    }
  }

  static Map<RequestKind, Latencies> none() {
    return new EnumMap<>(RequestKind.class);
  }
}
