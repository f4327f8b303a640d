// SPDX-License-Identifier: Apache-2.0

package io.forebay.netcdf.driver.logging;

import io.forebay.netcdf.driver.logging.layout.LogEntry;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** A write that was found in a log. */
record LoggedWrite(LogContent log, LogEntry entry) {
  /**
   * All writes that may not be in the file, in the order in which they were made: by generation and
   * age, and of the same age by rank, as they would have been written without a log.
   */
  static List<LoggedWrite> inOrder(List<LogContent> logs) {
    long highest = highestGeneration(logs);
    List<LoggedWrite> all = new ArrayList<>();
    for (LogContent log : logs) {
      if (!RankLog.counts(log.header().generation(), highest)) continue;
      for (LogEntry entry : log.entries()) all.add(new LoggedWrite(log, entry));
    }
    // Entries of one log are in order already, and sorting keeps them so.
    all.sort(
        Comparator.comparingLong((LoggedWrite write) -> write.entry.generation())
            .thenComparingInt(write -> write.entry.age())
            .thenComparingInt(write -> write.log.header().rank()));
    return all;
  }

  static long highestGeneration(List<LogContent> logs) {
    long highest = 0;
    for (LogContent log : logs) highest = Math.max(highest, log.header().generation());
    return highest;
  }
}
