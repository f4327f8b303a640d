// SPDX-License-Identifier: Apache-2.0

package io.forebay.store.index;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.base.FileId;
import io.forebay.base.RecordId;
import io.forebay.store.log.RecordHeader;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class RecordIndexTest {
  private final RecordIndex index = new RecordIndex();
  private final List<RecordTable> tables = new ArrayList<>();

  private long add(int segment, long session, long sequence) {
    while (tables.size() <= segment) {
      tables.add(new RecordTable());
      index.attach(tables.size() - 1, tables.getLast());
    }
    RecordHeader header =
        RecordHeader.data(new RecordId(session, sequence), new FileId(1, 1), 0, 10);
    int entry = tables.get(segment).add(header, 0, RecordTable.State.LIVE);
    return RecordIndex.location(segment, entry);
  }

  @Test
  void agreesWithAMapUnderRandomOperations() {
    SplittableRandom random = new SplittableRandom(5);
    Map<RecordId, Long> model = new HashMap<>();
    for (int i = 0; i < 200_000; i++) {
      long session = random.nextInt(3);
      long sequence = random.nextInt(5000);
      RecordId id = new RecordId(session, sequence);
      switch (random.nextInt(3)) {
        case 0 -> {
          long location = add(random.nextInt(20), session, sequence);
          index.put(session, sequence, location);
          model.put(id, location);
        }
        case 1 -> assertThat(index.remove(session, sequence)).isEqualTo(model.remove(id) != null);
        default ->
            assertThat(index.find(session, sequence))
                .isEqualTo(model.getOrDefault(id, RecordIndex.ABSENT));
      }
      assertThat(index.size()).isEqualTo(model.size());
    }
    model.forEach(
        (id, location) -> assertThat(index.find(id.session(), id.sequence())).isEqualTo(location));
  }

  @Test
  void locationsHoldTheirParts() {
    long location = RecordIndex.location(RecordIndex.SEGMENTS_MAX - 1, 12_345_678);
    assertThat(RecordIndex.segmentOf(location)).isEqualTo(RecordIndex.SEGMENTS_MAX - 1);
    assertThat(RecordIndex.entryOf(location)).isEqualTo(12_345_678);
  }

  @Test
  void aTableKeepsStateTypeAndWrittenApart() {
    RecordTable table = new RecordTable();
    RecordHeader header = RecordHeader.data(new RecordId(1, 2), new FileId(3, 4), 0, 99);
    int entry = table.add(header, 4096, RecordTable.State.OPEN);
    for (RecordTable.State state : RecordTable.State.values()) {
      table.state(entry, state);
      table.written(entry, RecordTable.WRITTEN_ALL);
      assertThat(table.state(entry)).isEqualTo(state);
      assertThat(table.type(entry)).isEqualTo(header.type());
      assertThat(table.written(entry)).isEqualTo(RecordTable.WRITTEN_ALL);
      table.written(entry, RecordTable.WRITTEN_HEADER);
      assertThat(table.written(entry)).isEqualTo(RecordTable.WRITTEN_HEADER);
      assertThat(table.state(entry)).isEqualTo(state);
    }
    assertThat(table.id(entry)).isEqualTo(header.id());
    assertThat(table.file(entry)).isEqualTo(header.file());
    assertThat(table.at(4096)).isEqualTo(entry);
    assertThat(table.at(4097)).isEqualTo(-1);
  }
}
