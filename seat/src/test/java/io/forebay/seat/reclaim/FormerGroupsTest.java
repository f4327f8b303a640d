// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.reclaim;

import static io.forebay.seat.manager.state.SmallRing.behind;
import static io.forebay.seat.manager.state.SmallRing.current;
import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.base.FileId;
import io.forebay.base.RecordId;
import io.forebay.seat.TestSeat;
import io.forebay.seat.manager.state.SmallRing;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class FormerGroupsTest {
  private static final long PATIENCE = 30_000_000_000L;
  private static final FileId FILE = new FileId(1, 5);

  private final TestSeat seat = new TestSeat();
  private final FormerGroups former = new FormerGroups(seat.basics());
  private final RecordId own = seat.keep(FILE, SmallRing.id(1, 1));
  private final RecordId behindOnes = seat.keep(FILE, SmallRing.id(2, 1));
  private final RecordId left = seat.keep(FILE, SmallRing.id(3, 1));
  private final RecordId unknown = seat.keep(FILE, SmallRing.id(4, 1));

  @BeforeEach
  void follow() {
    seat.follow(
        SmallRing.of(3)
            .group(1, 1, current(1))
            .group(2, 1, current(2), behind(1))
            .group(3, 1, current(3))
            .map());
  }

  private void tick() {
    for (int i = 0; i < 10; i++) former.tick();
  }

  private boolean isHere(RecordId record) {
    return seat.basics().store().present(record);
  }

  @Test
  void onlyRecordsOfGroupsThatTheMapHasWithoutTheSeatAreDropped() {
    former.follow();
    seat.sleep(PATIENCE);
    tick();
    assertThat(isHere(left)).isFalse();
    assertThat(isHere(own)).isTrue();
    assertThat(isHere(behindOnes)).isTrue();
    assertThat(isHere(unknown)).isTrue();
    assertThat(seat.told()).hasSize(1).first().asString().startsWith("1 record");
  }

  @Test
  void readersWithAnOlderMapHaveHalfAMinute() {
    former.follow();
    seat.sleep(PATIENCE - 1);
    tick();
    assertThat(isHere(left)).isTrue();
    former.left();
    seat.sleep(PATIENCE - 1);
    tick();
    assertThat(isHere(left)).as("the wait begins anew").isTrue();
    seat.sleep(1);
    tick();
    assertThat(isHere(left)).isFalse();
  }

  @Test
  void withoutAMapNothingIsDropped() {
    seat.sleep(10 * PATIENCE);
    tick();
    assertThat(isHere(left)).isTrue();
  }

  @Test
  void itLooksOnlyWhenAGroupWasLeft() {
    former.follow();
    seat.sleep(PATIENCE);
    tick();
    RecordId later = seat.keep(FILE, SmallRing.id(3, 1));
    seat.sleep(PATIENCE);
    tick();
    assertThat(isHere(later)).isTrue();
    former.left();
    seat.sleep(PATIENCE);
    tick();
    assertThat(isHere(later)).isFalse();
  }
}
