// SPDX-License-Identifier: Apache-2.0

package io.forebay.cli.demo;

import java.util.Locale;

/**
 * The result of the demo, and its headline.
 *
 * @param burstBytes what the ranks wrote, with the ring and without it
 * @param soundBytes how many of them were read back correctly from the ring
 * @param waitedNanos how long the ranks waited with the ring, including the crash
 * @param crashNanos the part of that before the crash
 * @param directNanos how long they waited without the ring
 */
public record Outcome(
    long burstBytes, long soundBytes, long waitedNanos, long crashNanos, long directNanos) {
  private static final double NANOS_PER_SECOND = 1e9;

  /** Whether the ranks waited less with the ring, in the figures as printed. */
  public boolean isFaster() {
    return tenths(waitedNanos) < tenths(directNanos);
  }

  /** The result in one sentence, for every outcome. */
  public String headline() {
    String waited = seconds(waitedNanos);
    String direct = seconds(directNanos);
    String compared =
        isFaster()
            ? "Your ranks went on after %s instead of %s".formatted(waited, direct)
            : "The ring was no faster on this machine: your ranks went on after %s with it and after %s without"
                .formatted(waited, direct);
    long lostBytes = burstBytes - soundBytes;
    return "%s; a server was killed in between; %s of %s bytes %s."
        .formatted(
            compared,
            grouped(lostBytes),
            grouped(burstBytes),
            lostBytes == 0 ? "were lost" : "WERE LOST OR WRONG");
  }

  /** Such as {@code 2.1 s}. */
  public static String seconds(long nanos) {
    return String.format(Locale.ROOT, "%.1f s", nanos / NANOS_PER_SECOND);
  }

  private static long tenths(long nanos) {
    return Math.round(nanos / NANOS_PER_SECOND * 10);
  }

  private static String grouped(long number) {
    return String.format(Locale.ROOT, "%,d", number);
  }
}
