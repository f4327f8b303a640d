// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.map;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.base.FileId;
import io.forebay.base.GroupId;
import io.forebay.base.RecordId;
import io.forebay.ring.ended.EndedInstances;
import io.forebay.ring.ended.EndedInstances.Range;
import io.forebay.seat.TestSeat;
import io.forebay.seat.manager.state.SmallRing;
import io.forebay.store.Store;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class EndedRecordsTest {
  private static final GroupId GROUP = SmallRing.id(1, 1);

  private final TestSeat seat = new TestSeat();
  private final Store store = seat.basics().store();
  private final EndedRecords records = new EndedRecords(store);

  private RecordId keep(int instance) {
    return seat.keep(new FileId(instance, 5), GROUP);
  }

  private static EndedInstances ended(int first, int last) {
    return new EndedInstances(List.of(new Range(first, last)));
  }

  /** Returns after how many calls it was done. */
  private int dropAll(EndedInstances ended) {
    for (int calls = 1; calls < 1000; calls++) {
      if (records.drop(ended)) return calls;
    }
    throw new AssertionError("never done with " + ended);
  }

  @Test
  void theEndOfAnInstanceDeletesItsRecordsAtOnce() {
    RecordId dead = keep(1);
    RecordId live = keep(2);
    assertThat(dropAll(ended(1, 1))).isEqualTo(1);
    assertThat(store.present(dead)).isFalse();
    assertThat(store.present(live)).isTrue();
    assertThat(records.dropped()).isEqualTo(ended(1, 1));
    assertThat(records.drop(ended(1, 1))).as("again").isFalse();
  }

  @Test
  void aSeatThatWasAwayForLongDeletesTheRecordsOfAllThatHaveEndedAndOfNoOther() {
    List<RecordId> dead = new ArrayList<>();
    for (int i = 0; i < 100; i++) dead.add(keep(1 + 997 * i));
    RecordId live = keep(500);
    RecordId newer = keep(2_000_000);
    EndedInstances ended =
        new EndedInstances(List.of(new Range(1, 499), new Range(501, 1_000_000)));
    int calls = dropAll(ended);
    assertThat(dead).noneMatch(store::present);
    assertThat(store.present(live)).as("lives").isTrue();
    assertThat(store.present(newer)).as("is newer than the map").isTrue();
    assertThat(records.dropped()).isEqualTo(ended);
    // A segment at a call.
    assertThat(calls).isGreaterThan(1);
  }

  @Test
  void whatEndsDuringTheWalkIsDeletedAfterwards() {
    RecordId dead = keep(1);
    RecordId later = keep(101);
    assertThat(records.drop(ended(1, 100))).isFalse();
    EndedInstances more = ended(1, 101);
    dropAll(more);
    assertThat(store.present(dead)).isFalse();
    assertThat(store.present(later)).isTrue();
    dropAll(more);
    assertThat(store.present(later)).isFalse();
    assertThat(records.dropped()).isEqualTo(more);
  }

  @Test
  void whatTheProcessBeforeHasDeletedIsNotDeletedAgain() {
    records.restore(ended(1, 100_000));
    RecordId late = keep(7);
    assertThat(records.drop(ended(1, 100_000))).isFalse();
    assertThat(store.present(late)).as("is left to the sweep").isTrue();
  }
}
