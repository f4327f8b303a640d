// SPDX-License-Identifier: Apache-2.0

package io.forebay.store;

import io.forebay.base.FileId;
import io.forebay.base.RecordId;
import io.forebay.store.index.RecordTable;
import io.forebay.store.log.RecordType;
import io.forebay.store.segment.Segment;
import io.forebay.store.segment.Segments;

/**
 * Visits the data records of a store, one segment per call, so that its owner can do other work in
 * between. Every record that exists from the first call to the last is visited; one that is moved
 * during the walk may be visited twice.
 */
public final class RecordWalk {
  /** Sees records that are live or clean. */
  public interface Visitor {
    void record(RecordId id, FileId file, int group, int payloadBytes);
  }

  private final Segments segments;
  private long lastNumber = -1;

  RecordWalk(Segments segments) {
    this.segments = segments;
  }

  /** Shows the next segment's records and says whether there was one. */
  public boolean next(Visitor visitor) {
    return next(visitor, (id, file, group, bytes) -> {});
  }

  /** The same, and shows those too that are known to be damaged. */
  public boolean next(Visitor visitor, Visitor damaged) {
    Segment segment = segments.after(lastNumber);
    if (segment == null) return false;
    lastNumber = segment.number();
    RecordTable table = segment.table;
    for (int entry = 0; entry < table.size(); entry++) {
      if (table.type(entry) != RecordType.DATA) continue;
      RecordTable.State state = table.state(entry);
      Visitor sees = counts(state) ? visitor : state == RecordTable.State.DAMAGED ? damaged : null;
      if (sees != null) {
        sees.record(
            table.id(entry), table.file(entry), table.group(entry), table.payloadBytes(entry));
      }
    }
    return true;
  }

  private static boolean counts(RecordTable.State state) {
    return state == RecordTable.State.LIVE || state == RecordTable.State.CLEAN;
  }
}
