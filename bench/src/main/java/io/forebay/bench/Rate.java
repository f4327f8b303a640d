// SPDX-License-Identifier: Apache-2.0

package io.forebay.bench;

import java.util.concurrent.TimeUnit;

/** Converts work and time into the shown figures. */
public final class Rate {
  public static final String MIB_PER_SECOND = "MiB/s";
  public static final String PER_SECOND = "/s";
  public static final String NANOS = "ns";

  private static final int KIB = 1024;
  private static final int MIB = 1024 * KIB;

  private Rate() {}

  public static double mibPerSecond(long bytes, long nanos) {
    return perSecond(bytes, nanos) / MIB;
  }

  public static double perSecond(long count, long nanos) {
    return (double) count * TimeUnit.SECONDS.toNanos(1) / nanos;
  }

  /** A size as in the names of results, such as 64KiB. */
  public static String sizeName(int bytes) {
    return bytes < MIB ? bytes / KIB + "KiB" : bytes / MIB + "MiB";
  }
}
