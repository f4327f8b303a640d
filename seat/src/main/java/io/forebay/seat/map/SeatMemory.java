// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.map;

import io.forebay.base.Bytes;
import io.forebay.base.GroupId;
import io.forebay.base.fields.FieldReader;
import io.forebay.base.fields.FieldWriter;
import io.forebay.base.fields.MalformedFields;
import io.forebay.base.fields.RecordFields;
import io.forebay.ring.ended.EndedInstances;
import java.nio.ByteBuffer;
import java.util.Collection;
import java.util.List;

/**
 * What a seat remembers across restarts: its identity, the highest map it saw (P16), the ended
 * instances whose records it has deleted, and the groups in which it may have granted a lease to a
 * home that the map no longer has.
 *
 * @param map encoded by {@code RingMapCodec}; empty before the first
 * @param promised groups whose former home may have a lease from this seat (P13)
 */
public record SeatMemory(
    int version, long incarnation, Bytes map, EndedInstances dropped, List<GroupId> promised) {
  private static final int VERSION = 3;
  private static final RecordFields FIELDS = new RecordFields(RecordFields.Numbers.NONE);

  static SeatMemory of(
      long incarnation, Bytes map, EndedInstances dropped, Collection<GroupId> promised) {
    return new SeatMemory(VERSION, incarnation, map, dropped, List.copyOf(promised));
  }

  static SeatMemory read(ByteBuffer bytes) throws MalformedFields {
    SeatMemory memory = FIELDS.read(SeatMemory.class, new FieldReader(bytes));
    if (memory.version != VERSION) {
      throw new MalformedFields("a seat's memory of version " + memory.version);
    }
    return memory;
  }

  ByteBuffer write() {
    FieldWriter out = new FieldWriter();
    FIELDS.write(this, out);
    return out.written();
  }
}
