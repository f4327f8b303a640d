// SPDX-License-Identifier: Apache-2.0

package io.forebay.store.recovery;

import java.util.List;

/**
 * What opening a log recovered, and the defects that it found.
 *
 * @param memorySegments segments whose image was found in memory
 * @param ssdSegments segments found on the SSD only
 * @param records intact data records that can be read
 * @param journalEntries journal entries that count
 * @param voidRecords reservations that were never filled
 * @param duplicates second copies left by an interrupted move
 * @param bytes bytes scanned
 * @param findings the first {@link #FINDINGS_MAX} defects
 * @param findingsCount the number of defects
 */
public record RecoveryReport(
    int memorySegments,
    int ssdSegments,
    long records,
    long journalEntries,
    long voidRecords,
    long duplicates,
    long bytes,
    List<Finding> findings,
    long findingsCount) {
  public static final int FINDINGS_MAX = 1000;

  public RecoveryReport {
    findings = List.copyOf(findings);
  }

  public boolean sound() {
    return findingsCount == 0;
  }
}
