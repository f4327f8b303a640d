// SPDX-License-Identifier: Apache-2.0

package io.forebay.client.profile.page;

import io.forebay.base.ByteSize;
import java.util.Locale;

/** Figures as they are written in sentences and tables. */
public final class Figures {
  private static final double NANOS = 1e9;
  private static final double MILLI = 1e-3;
  private static final int PERCENT = 100;
  private static final long EXACT_BYTES_MAX = 10_000_000;

  private Figures() {}

  /** Such as 47,008. */
  static String number(long number) {
    return String.format(Locale.ROOT, "%,d", number);
  }

  /** Such as {@code 1 file} or {@code 2 files}. */
  static String counted(long count, String noun) {
    String plural = noun.endsWith("s") ? noun + "es" : noun + "s";
    return number(count) + " " + (count == 1 ? noun : plural);
  }

  /** A whole number of KiB or MiB as such, others in bytes. */
  static String exactSize(long bytes) {
    boolean round = bytes >= 1024 && bytes % 1024 == 0 && ByteSize.format(bytes).indexOf('.') < 0;
    if (round && ByteSize.parse(ByteSize.format(bytes)).bytes() == bytes) {
      return ByteSize.format(bytes);
    }
    if (bytes > EXACT_BYTES_MAX) return ByteSize.format(bytes);
    return number(bytes) + (bytes == 1 ? " byte" : " bytes");
  }

  static String size(long bytes) {
    return ByteSize.format(bytes);
  }

  /** Rounded down, so that 100 % are all. */
  static String percent(long part, long whole) {
    long share = whole == 0 ? 0 : (long) ((double) part / whole * PERCENT);
    return (share == 0 && part > 0 ? "under 1" : share) + " %";
  }

  /** Three digits and a unit. */
  public static String time(long nanos) {
    double seconds = nanos / NANOS;
    if (seconds >= 1) return digits(seconds) + " s";
    if (seconds >= MILLI) return digits(seconds / MILLI) + " ms";
    return digits(seconds / MILLI / MILLI) + " µs";
  }

  private static String digits(double figure) {
    String format = figure >= PERCENT ? "%.0f" : figure >= PERCENT / 10 ? "%.1f" : "%.2f";
    return String.format(Locale.ROOT, format, figure);
  }
}
