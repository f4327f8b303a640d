package io.forebay.bench.store;

import java.util.concurrent.TimeUnit;

/** Turns what was done in how long into the figures that are shown. */
final class Rate {
  static final String MIB_PER_SECOND = "MiB/s";
  static final String PER_SECOND = "/s";
  static final String NANOS = "ns";

  private Rate() {}

  static double mibPerSecond(long bytes, long nanos) {
    return perSecond(bytes, nanos) / Scale.MIB;
  }

  static double perSecond(long count, long nanos) {
    return (double) count * TimeUnit.SECONDS.toNanos(1) / nanos;
  }

  /** A size as it stands in the names of results, such as 64KiB. */
  static String sizeName(int bytes) {
    return bytes < Scale.MIB ? bytes / Scale.KIB + "KiB" : bytes / Scale.MIB + "MiB";
  }
}
