// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.map;

import io.forebay.base.fields.MalformedFields;
import io.forebay.ring.RingMap;
import io.forebay.ring.RingMapCodec;
import io.forebay.store.Store;
import io.forebay.store.record.ReadResult;
import io.forebay.store.record.Slice;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads the highest map that a seat saw from its log, which no seat has open. */
public final class RememberedMap {
  private RememberedMap() {}

  /**
   * The map; null if the seat has seen none. Blocks while it reads.
   *
   * @throws MalformedFields if what the seat remembers cannot be read
   */
  public static @Nullable RingMap in(Store store) throws MalformedFields {
    long last = store.journalLast(MemoryKeeper.JOURNAL);
    if (last < 0) return null;
    List<ReadResult> results = new ArrayList<>(1);
    store.readJournal(MemoryKeeper.JOURNAL, last, results::add);
    while (results.isEmpty()) store.poll();
    if (!(results.getFirst() instanceof ReadResult.Bytes bytes)) {
      throw new MalformedFields("the seat's memory: " + results.getFirst());
    }
    try (Slice slice = bytes.slice()) {
      SeatMemory memory = SeatMemory.read(slice.bytes());
      return memory.map().length() == 0 ? null : RingMapCodec.read(memory.map());
    }
  }
}
