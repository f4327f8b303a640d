// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.journal;

import io.forebay.base.Bytes;
import io.forebay.base.fields.MalformedFields;
import java.nio.ByteBuffer;

/**
 * An entry of a group's journal: one byte with the kind and whether the entry must be forced, then
 * its content. A snapshot is a run of entries: its begin, its parts, its end; it contains
 * everything before its begin.
 */
public record JournalEntry(Kind kind, boolean forced, Bytes content) {
  public enum Kind {
    /** Has no content; a new home commits the entries that it found with it. */
    NOTHING(0),
    COMMAND(1),
    SNAPSHOT_BEGIN(2),
    SNAPSHOT_PART(3),
    SNAPSHOT_END(4);

    private final int code;

    Kind(int code) {
      this.code = code;
    }
  }

  /** The bytes before the content. */
  public static final int HEAD_BYTES = 1;

  private static final int FORCED_BIT = 0x80;

  public static JournalEntry of(Kind kind, boolean forced) {
    return new JournalEntry(kind, forced, Bytes.EMPTY);
  }

  Bytes write() {
    ByteBuffer out = ByteBuffer.allocate(HEAD_BYTES + content.length());
    out.put((byte) (kind.code | (forced ? FORCED_BIT : 0))).put(content.asBuffer());
    return Bytes.copyOf(out.flip());
  }

  public static JournalEntry read(ByteBuffer in) throws MalformedFields {
    if (!in.hasRemaining()) throw new MalformedFields("an empty journal entry");
    int head = in.get(in.position());
    int code = head & ~FORCED_BIT & 0xff;
    for (Kind kind : Kind.values()) {
      if (kind.code == code) {
        ByteBuffer rest = in.slice(in.position() + HEAD_BYTES, in.remaining() - HEAD_BYTES);
        return new JournalEntry(kind, (head & FORCED_BIT) != 0, Bytes.copyOf(rest));
      }
    }
    throw new MalformedFields("a journal entry of unknown kind " + code);
  }
}
