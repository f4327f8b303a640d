// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.part;

import io.forebay.base.latency.Latencies;
import io.forebay.base.latency.LatencyHistogram;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;

/** How long a seat's operations take. Called by its loop only. */
public final class SeatLatencies {
  /** What is measured, each from a beginning to an end at this seat. */
  public enum Operation {
    /** A record of a client, from its last byte to its acknowledgement. */
    PUT,
    /** A copy of it, until another member has confirmed it. */
    COPY,
    /** A read of a record, until its bytes are handed to the connection. */
    READ,
    /** A change that publishes records, from its proposal until it is applied. */
    PUBLISH,
    /** The same of all other changes of names. */
    CHANGE,
    /** A part of a drained file: gathering its bytes, and writing them to the backing store. */
    DRAIN,
    /** A call of a backing store. */
    BACKING
  }

  private final Map<Operation, LatencyHistogram> histograms = new EnumMap<>(Operation.class);

  public SeatLatencies() {
    for (Operation each : Operation.values()) histograms.put(each, new LatencyHistogram());
  }

  public void add(Operation operation, long nanos) {
    Objects.requireNonNull(histograms.get(operation), "each has one").add(nanos);
  }

  /** A copy. */
  public Map<Operation, Latencies> now() {
    Map<Operation, Latencies> all = new EnumMap<>(Operation.class);
    histograms.forEach((operation, histogram) -> all.put(operation, histogram.now()));
    return all;
  }
}
