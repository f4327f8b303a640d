// SPDX-License-Identifier: Apache-2.0

package io.forebay.store;

import static io.forebay.store.FaultyStore.FILE;
import static io.forebay.store.FaultyStore.SEGMENT;
import static io.forebay.store.FaultyStore.SESSION;
import static io.forebay.store.FaultyStore.records;
import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.base.RecordId;
import io.forebay.store.log.RecordHeader;
import io.forebay.store.record.Commit;
import io.forebay.store.record.Level;
import io.forebay.store.record.ReadResult;
import io.forebay.store.segment.Reservation;
import io.forebay.store.segment.Reserve;
import io.forebay.store.tier.StoreConfig;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A record whose kill was acknowledged never counts again, wherever copies of it still stand. */
class KilledRecordsTest {
  private static FaultyStore hybrid() throws Exception {
    return new FaultyStore(StoreConfig.hybrid(SEGMENT, 10 * SEGMENT, 20 * SEGMENT), 1);
  }

  /** Empties segments and frees them, as far as that goes. */
  private static void tidyUp(FaultyStore world) {
    for (int i = 0; i < 4; i++) {
      world.store.seal();
      world.settle();
      world.store.compactEmptiest();
      world.settle();
    }
  }

  @Test
  void aRecordThatIsKilledBeforeItsPayloadIsThereIsNotTaken() throws Exception {
    FaultyStore world = hybrid();
    RecordHeader header = RecordHeader.data(new RecordId(SESSION, 1), FILE, 0, 1000);
    Reserve reserve = world.store.reserve(header, Level.KEPT);
    Reservation reservation = ((Reserve.Reserved) reserve).reservation();
    assertThat(world.kill(Level.KEPT, records(1, 1))).isTrue();
    // No record is there that the tombstone names, so it goes.
    tidyUp(world);
    assertThat(world.store.stats().counters().marks()).isZero();
    assertThat(world.store.commit(reservation, null, answer -> {})).isEqualTo(Commit.DEAD);
    assertThat(world.present(1)).isFalse();
    world.killProcess();
    assertThat(world.present(1)).isFalse();
  }

  @Test
  void aRecordThatWasMovedEvictedAndKilledDoesNotComeBackFromWhereItStoodBefore() throws Exception {
    FaultyStore world = hybrid();
    assertThat(world.put(1, 1000, Level.KEPT)).isTrue();
    world.store.seal();
    List<ReadResult> held = new ArrayList<>();
    world.store.read(new RecordId(SESSION, 1), 0, 1000, held::add);
    assertThat(held.getFirst()).isInstanceOf(ReadResult.Bytes.class);
    // A slow reader keeps the old copies from being freed.
    assertThat(world.store.compactEmptiest()).isTrue();
    world.settle();
    world.reaches(w -> world.store.markClean(1, List.of(records(1, 1)), Level.KEPT, w));
    assertThat(world.store.evict(1)).isPositive();
    assertThat(world.kill(Level.KEPT, records(1, 1))).isTrue();
    tidyUp(world);
    world.killProcess();
    assertThat(world.present(1)).isFalse();
  }
}
