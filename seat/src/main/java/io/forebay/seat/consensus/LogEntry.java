// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.consensus;

import io.forebay.base.Bytes;
import io.forebay.base.fields.FieldReader;
import io.forebay.base.fields.FieldWriter;
import io.forebay.base.fields.MalformedFields;
import io.forebay.base.fields.RecordFields;
import io.forebay.store.tier.StoreConfig;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * One entry of the log: a command, or a part of a snapshot that replaces everything before it.
 *
 * @param safeBefore every entry below this index was safe when this one was written
 * @param part the number of the part, from 0
 * @param parts the number of parts; 0 for a command
 */
public record LogEntry(long safeBefore, int part, int parts, Bytes content) {
  /** The bytes of an entry besides its content. */
  static final int HEAD_BYTES = Long.BYTES + 3 * Integer.BYTES;

  private static final RecordFields FIELDS = new RecordFields(RecordFields.Numbers.NONE);

  public LogEntry {
    if (parts < 0 || part < 0 || (part > 0 && part >= parts)) {
      throw new IllegalArgumentException("part " + part + " of " + parts);
    }
  }

  /** The longest content that fits into an entry. */
  static int contentBytesMax(StoreConfig store) {
    return store.payloadBytesMax() - HEAD_BYTES;
  }

  /** A snapshot, in parts of at most that many bytes. */
  static List<LogEntry> ofSnapshot(Bytes state, long safeBefore, int partBytesMax) {
    ByteBuffer whole = state.asBuffer();
    int parts = Math.max(1, (whole.remaining() + partBytesMax - 1) / partBytesMax);
    List<LogEntry> entries = new ArrayList<>(parts);
    for (int part = 0; part < parts; part++) {
      int from = part * partBytesMax;
      int length = Math.min(partBytesMax, whole.limit() - from);
      entries.add(new LogEntry(safeBefore, part, parts, Bytes.copyOf(whole.slice(from, length))));
    }
    return entries;
  }

  boolean isCommand() {
    return parts == 0;
  }

  ByteBuffer encode() {
    FieldWriter out = new FieldWriter();
    FIELDS.write(this, out);
    return out.written();
  }

  static LogEntry decode(ByteBuffer bytes) throws MalformedFields {
    return FIELDS.read(LogEntry.class, new FieldReader(bytes));
  }
}
