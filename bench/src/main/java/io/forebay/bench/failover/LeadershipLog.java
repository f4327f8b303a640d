// SPDX-License-Identifier: Apache-2.0

package io.forebay.bench.failover;

import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.Locale;

/** Reads in the logs of managers when one began to lead. */
final class LeadershipLog {
  private static final String WORDS = " leads in term ";
  private static final String TIME = "yyyy-MM-dd HH:mm:ss.SSS";
  private static final DateTimeFormatter FORMAT = DateTimeFormatter.ofPattern(TIME, Locale.ROOT);

  private LeadershipLog() {}

  /** The first such time after another one, in milliseconds since 1970; -1 if there is none. */
  static long firstAfter(long millis, List<String> lines) {
    long first = Long.MAX_VALUE;
    for (String line : lines) {
      if (!line.contains(WORDS)) continue;
      long at = millisOf(line);
      if (at >= millis) first = Math.min(first, at);
    }
    return first == Long.MAX_VALUE ? -1 : first;
  }

  /** When a line was written; -1 if it does not say so. A word may stand before the time. */
  private static long millisOf(String line) {
    for (int at = 0; at + TIME.length() <= line.length(); at++) {
      if (!Character.isDigit(line.charAt(at))) continue;
      try {
        return LocalDateTime.parse(line.substring(at, at + TIME.length()), FORMAT)
            .atZone(ZoneId.systemDefault())
            .toInstant()
            .toEpochMilli();
      } catch (DateTimeParseException e) {
        // The time stands further on.
      }
    }
    return -1;
  }
}
