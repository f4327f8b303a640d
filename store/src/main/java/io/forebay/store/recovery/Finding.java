// SPDX-License-Identifier: Apache-2.0

package io.forebay.store.recovery;

import io.forebay.store.log.RecordHeader;

/** A defect of a log. */
public sealed interface Finding {
  /** Which slot it was found in. */
  String slot();

  /** A record whose bytes do not match their checksums: damaged, or torn by a power cut. */
  record DamagedRecord(String slot, int position, RecordHeader record) implements Finding {
    @Override
    public String toString() {
      return "%s: record %s of file %s (%d bytes at %d) does not match its checksums"
          .formatted(slot, record.id(), record.file(), record.payloadBytes(), position);
    }
  }

  /** Bytes that no header explains; records behind them were found. */
  record Gap(String slot, int from, int to) implements Finding {
    @Override
    public String toString() {
      return "%s: bytes %d to %d hold no valid record header".formatted(slot, from, to);
    }
  }

  /** Bytes the device did not give. */
  record Unreadable(String slot, long from, long to, String detail) implements Finding {
    @Override
    public String toString() {
      return "%s: bytes %d to %d cannot be read (%s)".formatted(slot, from, to, detail);
    }
  }

  /** A segment's header that does not validate. */
  record BrokenHeader(String slot, boolean salvaged) implements Finding {
    @Override
    public String toString() {
      return slot
          + (salvaged
              ? ": the segment's header is broken; its records were found without it"
              : ": the segment's header is broken and no record was found behind it");
    }
  }

  /** A tombstone or clean mark with an invalid payload. */
  record MalformedMark(String slot, int position, String detail) implements Finding {
    @Override
    public String toString() {
      return "%s: mark at %d is malformed (%s)".formatted(slot, position, detail);
    }
  }

  /** A segment that was full or closed and in which fewer records were found than it had. */
  record MissingRecords(String slot, int found, int had) implements Finding {
    @Override
    public String toString() {
      return "%s: %d of %d records were not found".formatted(slot, had - found, had);
    }
  }

  /** A slot that is shorter than a segment. */
  record ShortSlot(String slot, long bytes) implements Finding {
    @Override
    public String toString() {
      return slot + ": only " + bytes + " bytes are there";
    }
  }
}
