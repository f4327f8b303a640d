// SPDX-License-Identifier: Apache-2.0

package io.forebay.store.directory.inspect;

import io.forebay.store.index.RecordTable;

/** Counts the records of one segment by type and their bytes by state. One thread. */
final class SegmentTally {
  private int data;
  private int journal;
  private int marks;
  private long live;
  private long clean;
  private long dead;
  private long voided;
  private long damaged;

  SegmentTally(RecordTable table) {
    for (int entry = 0; entry < table.size(); entry++) {
      countType(table, entry);
      countBytes(table, entry);
    }
  }

  int data() {
    return data;
  }

  int journal() {
    return journal;
  }

  int marks() {
    return marks;
  }

  LogInspection.ByState bytes() {
    return new LogInspection.ByState(live, clean, dead, voided, damaged);
  }

  private void countType(RecordTable table, int entry) {
    switch (table.type(entry)) {
      case DATA -> data++;
      case JOURNAL -> journal++;
      case TOMBSTONE, CLEAN -> marks++;
    }
  }

  private void countBytes(RecordTable table, int entry) {
    int bytes = table.recordBytes(entry);
    switch (table.state(entry)) {
      case LIVE -> live += bytes;
      case CLEAN -> clean += bytes;
      case DEAD -> dead += bytes;
      case VOID -> voided += bytes;
      case DAMAGED -> damaged += bytes;
      // Only a store that runs knows these.
      case OPEN, MOVING -> throw new IllegalStateException("record being written in a scan");
    }
  }
}
