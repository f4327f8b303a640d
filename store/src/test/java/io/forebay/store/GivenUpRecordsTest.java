// SPDX-License-Identifier: Apache-2.0

package io.forebay.store;

import static io.forebay.store.FaultyStore.SEGMENT;
import static io.forebay.store.FaultyStore.SESSION;
import static io.forebay.store.FaultyStore.records;
import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.base.RecordId;
import io.forebay.store.record.Level;
import io.forebay.store.record.ReadResult;
import io.forebay.store.tier.StoreConfig;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Records that count elsewhere and no longer here: nothing says that they are dead. */
class GivenUpRecordsTest {
  private static final int BYTES = 1000;

  private static FaultyStore hybrid() throws Exception {
    return new FaultyStore(StoreConfig.hybrid(SEGMENT, 10 * SEGMENT, 20 * SEGMENT), 1);
  }

  private static void giveUp(FaultyStore world, long sequence) {
    world.store.giveUp(new RecordId(SESSION, sequence));
  }

  @Test
  void aRecordThatIsGivenUpIsNotHere() throws Exception {
    FaultyStore world = hybrid();
    assertThat(world.put(1, BYTES, Level.KEPT)).isTrue();
    assertThat(world.put(2, BYTES, Level.KEPT)).isTrue();
    giveUp(world, 1);
    giveUp(world, 1);
    giveUp(world, 99);
    assertThat(world.present(1)).isFalse();
    assertThat(world.present(2)).isTrue();
    List<ReadResult> results = new ArrayList<>();
    world.store.read(new RecordId(SESSION, 1), 0, BYTES, results::add);
    assertThat(results).hasSize(1).first().isInstanceOf(ReadResult.Absent.class);
    List<Long> walked = new ArrayList<>();
    RecordWalk walk = world.store.walk();
    boolean more = true;
    while (more) more = walk.next((id, file, group, bytes) -> walked.add(id.sequence()));
    assertThat(walked).containsExactly(2L);
  }

  @Test
  void itIsTakenAgainAndStaysThen() throws Exception {
    FaultyStore world = hybrid();
    assertThat(world.put(1, BYTES, Level.KEPT)).isTrue();
    giveUp(world, 1);
    assertThat(world.put(1, BYTES, Level.KEPT)).isTrue();
    assertThat(world.present(1)).isTrue();
    world.killProcess();
    assertThat(world.present(1)).isTrue();
  }

  @Test
  void itIsHereAgainAfterARecoveryIfItsSegmentIs() throws Exception {
    FaultyStore world = hybrid();
    assertThat(world.put(1, BYTES, Level.KEPT)).isTrue();
    assertThat(world.put(2, BYTES, Level.KEPT)).isTrue();
    giveUp(world, 1);
    assertThat(world.store.stats().counters().marks()).as("no tombstone").isZero();
    world.killProcess();
    assertThat(world.present(1)).isTrue();
    assertThat(world.present(2)).isTrue();
    giveUp(world, 1);
    assertThat(world.present(1)).isFalse();
  }

  /** One that was killed as well does not come back, wherever it stood. */
  @Test
  void whatIsKilledAfterItWasGivenUpStaysDead() throws Exception {
    FaultyStore world = hybrid();
    assertThat(world.put(1, BYTES, Level.KEPT)).isTrue();
    assertThat(world.put(2, BYTES, Level.KEPT)).isTrue();
    giveUp(world, 1);
    assertThat(world.kill(Level.KEPT, records(1, 1))).isTrue();
    world.settle();
    world.killProcess();
    assertThat(world.present(1)).isFalse();
    assertThat(world.present(2)).isTrue();
  }

  @Test
  void itsRoomIsUsedAgain() throws Exception {
    FaultyStore world = new FaultyStore(StoreConfig.memory(SEGMENT, 12 * SEGMENT), 1);
    long last = 0;
    while (world.put(last + 1, SEGMENT / 8, Level.KEPT)) last++;
    assertThat(last).isGreaterThan(20);
    for (long sequence = 1; sequence <= last; sequence++) giveUp(world, sequence);
    world.settle();
    long again = 0;
    while (again < last && world.put(1000 + again, SEGMENT / 8, Level.KEPT)) again++;
    assertThat(again).isEqualTo(last);
  }

  /** Others in the same segments are moved together. */
  @Test
  void theRoomOfEveryOtherRecordIsUsedAgain() throws Exception {
    FaultyStore world = new FaultyStore(StoreConfig.memory(SEGMENT, 12 * SEGMENT), 1);
    long last = 0;
    while (world.put(last + 1, SEGMENT / 8, Level.KEPT)) last++;
    for (long sequence = 1; sequence <= last; sequence += 2) giveUp(world, sequence);
    world.settle();
    long again = 0;
    while (again < last && world.put(1000 + again, SEGMENT / 8, Level.KEPT)) again++;
    assertThat(again).isGreaterThan(last / 4);
    for (long sequence = 2; sequence <= last; sequence += 2) {
      assertThat(world.present(sequence)).isTrue();
    }
  }
}
