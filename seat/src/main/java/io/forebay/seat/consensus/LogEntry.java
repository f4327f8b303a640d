// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.consensus;

import io.forebay.base.Bytes;
import io.forebay.base.fields.FieldReader;
import io.forebay.base.fields.FieldWriter;
import io.forebay.base.fields.MalformedFields;
import io.forebay.base.fields.RecordFields;
import java.nio.ByteBuffer;

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
