// SPDX-License-Identifier: Apache-2.0

package io.forebay.netcdf.bundle;

import io.forebay.base.ByteSize;
import io.forebay.netcdf.bundle.partition.Scheme;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/**
 * How one step went; the same on all ranks. The times are those of the rank that was the last to
 * end, so that they add up.
 *
 * @param scheme how ranks were divided
 * @param predictedNanos what was expected of each scheme before the step: the shortest of its last
 *     times if it was measured, else the cost model's prediction; empty without a choice
 * @param totalNanos from the call until the last rank had done its part
 * @param createNanos waiting for the file to exist
 * @param shuffleNanos packing, sending and receiving parts of planes between all ranks
 * @param aggregateNanos moving planes to the ranks that write, within groups
 * @param writeNanos waiting for writes
 * @param memoryBytes the most memory that any rank used for the bytes of the step
 */
public record StepReport(
    Scheme scheme,
    Map<Scheme, Long> predictedNanos,
    long totalNanos,
    long createNanos,
    long shuffleNanos,
    long aggregateNanos,
    long writeNanos,
    long memoryBytes) {
  private static final double MILLI_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

  /**
   * One line for people: what the step took, and what was predicted of each scheme before it, such
   * as {@code BPS 12.3 ms (predicted 11.9; LPS 12.4, IPS 15.1): create 0.2, shuffle 4.0, aggregate
   * 3.1, write 4.6; memory 1.2 MiB}.
   */
  @Override
  public String toString() {
    return "%s %s ms%s: create %s, shuffle %s, aggregate %s, write %s; memory %s"
        .formatted(
            scheme,
            millis(totalNanos),
            predictions(),
            millis(createNanos),
            millis(shuffleNanos),
            millis(aggregateNanos),
            millis(writeNanos),
            ByteSize.format(memoryBytes));
  }

  /** Of the scheme that was taken, then of the others; nothing without a choice. */
  private String predictions() {
    Long own = predictedNanos.get(scheme);
    if (own == null) return "";
    String others =
        Arrays.stream(Scheme.values())
            .filter(each -> each != scheme && predictedNanos.containsKey(each))
            .map(each -> each + " " + millis(predictedNanos.getOrDefault(each, 0L)))
            .collect(Collectors.joining(", "));
    return " (predicted " + millis(own) + (others.isEmpty() ? "" : "; " + others) + ")";
  }

  private static String millis(long nanos) {
    return String.format(Locale.ROOT, "%.1f", nanos / MILLI_NANOS);
  }
}
