// SPDX-License-Identifier: Apache-2.0

package io.forebay.bench.store;

import io.forebay.base.FileId;
import io.forebay.base.RecordId;
import io.forebay.bench.Rounds;
import io.forebay.store.index.RecordIndex;
import io.forebay.store.index.RecordTable;
import io.forebay.store.log.RecordHeader;
import java.util.SplittableRandom;

/** Measures the index of records with the tables of their segments. */
final class RecordIndexTrial implements Rounds.Trial<IndexCost> {
  private static final int PAYLOAD_BYTES = 4 * Scale.KIB;

  /** About as many as a segment of the usual size holds of these. */
  private static final int RECORDS_PER_SEGMENT = 15_000;

  private static final int SESSIONS = 16;
  private static final FileId FILE = new FileId(1, 1);

  private final int count;
  private final int operations;
  private final long seed;
  private long found;

  RecordIndexTrial(int count, int operations, long seed) {
    this.count = count;
    this.operations = operations;
    this.seed = seed;
  }

  @Override
  public IndexCost measure() {
    int builds = Math.max(1, operations / count);
    RecordIndex index = new RecordIndex();
    HeapPages.collectBefore(count);
    long start = System.nanoTime();
    for (int i = 0; i < builds; i++) index = build();
    long built = System.nanoTime();
    find(index);
    long end = System.nanoTime();
    return new IndexCost(
        (double) index.memoryBytes() / count,
        (double) (built - start) / ((long) builds * count),
        (double) (end - built) / operations);
  }

  private RecordIndex build() {
    RecordIndex index = new RecordIndex();
    RecordTable table = new RecordTable();
    for (int i = 0; i < count; i++) {
      int segment = i / RECORDS_PER_SEGMENT;
      if (i % RECORDS_PER_SEGMENT == 0) {
        table.trim();
        table = new RecordTable();
        index.attach(segment, table);
      }
      RecordId id = new RecordId(i % SESSIONS, i / SESSIONS);
      RecordHeader record = RecordHeader.data(id, FILE, (long) i * PAYLOAD_BYTES, PAYLOAD_BYTES);
      int position = i % RECORDS_PER_SEGMENT * record.recordBytes();
      int entry = table.add(record, position, RecordTable.State.LIVE);
      index.put(id.session(), id.sequence(), RecordIndex.location(segment, entry));
    }
    table.trim();
    if (index.size() != count) throw new IllegalStateException("records are missing");
    return index;
  }

  private void find(RecordIndex index) {
    SplittableRandom random = new SplittableRandom(seed);
    for (int i = 0; i < operations; i++) {
      int number = random.nextInt(count);
      long location = index.find(number % SESSIONS, number / SESSIONS);
      if (location != RecordIndex.ABSENT) found++;
    }
    if (found == 0) throw new IllegalStateException("nothing found");
  }
}
