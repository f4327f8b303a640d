// SPDX-License-Identifier: Apache-2.0

package io.forebay.bench.transfer;

import io.forebay.bench.Rate;
import java.util.concurrent.TimeUnit;

/**
 * The cost of moving bytes.
 *
 * @param cpuNanos processor time of all processes involved
 */
public record Cost(long bytes, long nanos, long cpuNanos) {
  public static final String CPU_UNIT = "s/GiB";

  private static final double GIB = 1L << 30;

  public double mibPerSecond() {
    return Rate.mibPerSecond(bytes, nanos);
  }

  public double cpuSecondsPerGib() {
    return cpuNanos / (double) TimeUnit.SECONDS.toNanos(1) / (bytes / GIB);
  }
}
