// SPDX-License-Identifier: Apache-2.0

package io.forebay.cli.demo;

import java.util.List;

/**
 * The time that the ranks waited with the ring and without it, as two bars of the same scale, with
 * the kill marked. Plain ASCII, so that every terminal shows it.
 *
 * <pre>
 *   with the ring  =========X========  4.9 s
 *   without it     =============================================  12.6 s
 *                  X: a server is killed
 * </pre>
 */
public final class WaitPicture {
  private static final String WITH = "with the ring  ";
  private static final String WITHOUT = "without it     ";
  private static final int FIGURE_CHARS = "  1234.5 s".length();
  private static final int CELLS_MIN = 10;

  private WaitPicture() {}

  /** Its lines, none longer than the limit, unless that is far too small. */
  public static List<String> lines(Outcome outcome, int charsMax) {
    int cells = Math.max(CELLS_MIN, charsMax - WITH.length() - FIGURE_CHARS);
    long longestNanos = Math.max(1, Math.max(outcome.waitedNanos(), outcome.directNanos()));
    int with = cells(outcome.waitedNanos(), longestNanos, cells);
    int killed = Math.min(with, cells(outcome.crashNanos(), longestNanos, cells));
    int without = cells(outcome.directNanos(), longestNanos, cells);
    String bar = "=".repeat(killed - 1) + "X" + "=".repeat(with - killed);
    return List.of(
        WITH + bar + "  " + Outcome.seconds(outcome.waitedNanos()),
        WITHOUT + "=".repeat(without) + "  " + Outcome.seconds(outcome.directNanos()),
        " ".repeat(WITH.length()) + "X: a server is killed");
  }

  private static int cells(long nanos, long longestNanos, int cells) {
    return Math.max(1, (int) Math.round((double) cells * nanos / longestNanos));
  }
}
