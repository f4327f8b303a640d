// SPDX-License-Identifier: Apache-2.0

package io.forebay.store.recovery;

import io.forebay.base.rule.Rule;
import io.forebay.store.index.RecordTable;
import io.forebay.store.log.Mark;
import io.forebay.store.log.RecordHeader;
import io.forebay.store.log.RecordType;
import io.forebay.store.log.SegmentHeader;
import io.forebay.store.log.SegmentScanner;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/** The scan of one segment: its records in a table, its marks, and its defects. */
public final class SegmentScan {
  /** A tombstone or clean mark, and its record's entry in the table. */
  public record FoundMark(int entry, Mark mark) {}

  private final String slot;
  private final SegmentHeader header;
  private final RecordTable table = new RecordTable();
  private final List<FoundMark> marks = new ArrayList<>();
  private final List<Finding> findings = new ArrayList<>();
  private int tail;
  private boolean unreadable;

  SegmentScan(String slot, SegmentHeader header) {
    this.slot = slot;
    this.header = header;
  }

  /** Scans a segment that is wholly in memory. */
  public static SegmentScan of(String slot, SegmentHeader header, ByteBuffer bytes) {
    SegmentScan scan = new SegmentScan(slot, header);
    scan.end(bytes, scan.scanner(bytes, Math.min(bytes.limit(), header.segmentBytes())).finish());
    return scan;
  }

  SegmentScanner scanner(ByteBuffer bytes, int end) {
    return new SegmentScanner(bytes, end, header.generation(), new Collector(bytes));
  }

  /**
   * All of it was scanned.
   *
   * @param position the end of the last record that was found
   */
  void end(ByteBuffer bytes, int position) {
    tail = position;
    table.trim();
    SegmentHeader.Seal seal = SegmentHeader.sealOf(bytes, header.generation());
    if (seal == null) return;
    int filled = 0;
    for (int entry = 0; entry < table.size(); entry++) {
      if (table.state(entry) != RecordTable.State.VOID) filled++;
    }
    if (table.size() < seal.entries()) {
      found(new Finding.MissingRecords(slot, table.size(), seal.entries()));
    } else if (filled < seal.filled()) {
      found(new Finding.MissingRecords(slot, filled, seal.filled()));
    }
  }

  void found(Finding finding) {
    findings.add(finding);
    if (finding instanceof Finding.Unreadable) unreadable = true;
  }

  public String slot() {
    return slot;
  }

  public SegmentHeader header() {
    return header;
  }

  public RecordTable table() {
    return table;
  }

  public List<FoundMark> marks() {
    return marks;
  }

  public List<Finding> findings() {
    return findings;
  }

  /** The end of the last record. */
  public int tail() {
    return tail;
  }

  /** Whether everything in it was read and matched its checksums. */
  public boolean sound() {
    return findings.isEmpty();
  }

  /** Whether the device did not give some of its bytes. */
  public boolean unreadable() {
    return unreadable;
  }

  private final class Collector implements SegmentScanner.Visitor {
    private final ByteBuffer bytes;

    Collector(ByteBuffer bytes) {
      this.bytes = bytes;
    }

    @Override
    public void complete(RecordHeader record, int position) {
      RecordTable.State state = RecordTable.State.LIVE;
      if (record.type() == RecordType.TOMBSTONE || record.type() == RecordType.CLEAN) {
        try {
          Mark mark =
              Mark.read(bytes.slice(position + record.payloadOffset(), record.payloadBytes()));
          marks.add(new FoundMark(table.size(), mark));
        } catch (Mark.MalformedMark malformed) {
          found(new Finding.MalformedMark(slot, position, String.valueOf(malformed.getMessage())));
          state = RecordTable.State.DAMAGED;
        }
      }
      table.add(record, position, state);
    }

    /** A reservation that was never filled is no record (P18). */
    @Rule("P18")
    @Override
    public void unfilled(RecordHeader record, int position) {
      table.add(record, position, RecordTable.State.VOID);
    }

    @Override
    public void damaged(RecordHeader record, int position) {
      table.add(record, position, RecordTable.State.DAMAGED);
      found(new Finding.DamagedRecord(slot, position, record));
    }

    @Override
    public void gap(int from, int to) {
      found(new Finding.Gap(slot, from, to));
    }
  }
}
