// SPDX-License-Identifier: Apache-2.0

package io.forebay.store;

import io.forebay.base.RecordId;
import io.forebay.store.index.RecordTable;
import io.forebay.store.index.RecordTable.State;
import io.forebay.store.log.RecordType;
import io.forebay.store.segment.Segment;
import java.util.ArrayList;
import java.util.List;

/**
 * The records that were found damaged: counted, and reported once. Called by the store's owner
 * only.
 */
final class FoundDamage {
  private static final int LATELY_MAX = 10_000;

  private final StoreEvents events;
  private final List<RecordId> lately = new ArrayList<>();
  private long records;

  FoundDamage(StoreEvents events) {
    this.events = events;
  }

  void found(Segment segment, int entry) {
    records++;
    RecordTable table = segment.table;
    segment.change(entry, State.DAMAGED);
    boolean told = table.type(entry) == RecordType.DATA && lately.size() < LATELY_MAX;
    if (told) lately.add(table.id(entry));
    events.recordDamaged(table.id(entry), table.file(entry), segment.number());
  }

  /** The data records that were found since the last call, or the first of very many. */
  List<RecordId> take() {
    List<RecordId> taken = List.copyOf(lately);
    lately.clear();
    return taken;
  }

  long count() {
    return records;
  }
}
