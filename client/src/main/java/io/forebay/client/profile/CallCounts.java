// SPDX-License-Identifier: Apache-2.0

package io.forebay.client.profile;

import java.util.List;

/**
 * How often each {@link Call} was made, and how long they took together.
 *
 * @param counts in the order of the calls
 * @param nanos the same
 */
public record CallCounts(List<Long> counts, List<Long> nanos) {
  public CallCounts {
    counts = List.copyOf(counts);
    nanos = List.copyOf(nanos);
  }

  public long count(Call call) {
    return counts.get(call.place());
  }

  public long nanos(Call call) {
    return nanos.get(call.place());
  }

  public long count(Call.Kind kind) {
    long sum = 0;
    for (Call call : Call.values()) if (call.kind() == kind) sum += count(call);
    return sum;
  }

  public long nanos(Call.Kind kind) {
    long sum = 0;
    for (Call call : Call.values()) if (call.kind() == kind) sum += nanos(call);
    return sum;
  }

  public long allNanos() {
    long sum = 0;
    for (long each : nanos) sum += each;
    return sum;
  }

  CallCounts plus(CallCounts other) {
    return new CallCounts(
        AccessCounts.sum(counts, other.counts), AccessCounts.sum(nanos, other.nanos));
  }
}
