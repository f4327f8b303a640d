// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.manager;

import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.base.GroupId;
import io.forebay.base.SeatId;
import io.forebay.ring.SeatEntry;
import io.forebay.seat.manager.desk.ManagerConfig;
import io.forebay.wire.message.Maps;
import io.forebay.wire.message.Replies;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** When the manager goes on without a seat, and when it does not. */
class SilentSeatsAtTheManagerTest {
  private static final long SECOND = ManagerWorld.SECOND;
  private static final SeatId FIRST = new SeatId(1);
  private static final SeatId SECOND_SEAT = new SeatId(2);
  private static final GroupId GROUP = GroupId.of(FIRST, 2);

  private ManagerWorld world;
  private List<ManagerWorld.Peer> seats;

  @BeforeEach
  void form() throws Exception {
    world = new ManagerWorld(5, new ManagerConfig(3, 30 * SECOND, 2));
    seats = world.form(3, 1);
  }

  private SeatEntry entry(SeatId seat) {
    return world.manager.map().seat(seat);
  }

  private void report(int... numbers) {
    for (int number : numbers) {
      SeatId seat = new SeatId(number);
      seats
          .get(number - 1)
          .ask(new Maps.SeatReport(seat, entry(seat).incarnation(), world.manager.map().epoch()));
    }
  }

  /** Lets time pass in which these seats report. */
  private void pass(int seconds, int... numbers) {
    for (int i = 0; i < seconds; i++) {
      world.pass(SECOND);
      report(numbers);
    }
  }

  private void suspect(SeatId suspect, boolean confirmed) {
    seats.get(1).ask(new Maps.Suspect(suspect, entry(suspect).start(), SECOND_SEAT, confirmed));
    world.pass(SECOND / 10);
  }

  @Test
  void oneThatNobodyHearsIsTakenOut() {
    pass(3, 2, 3);
    suspect(FIRST, true);
    assertThat(entry(FIRST).away()).isTrue();
    assertThat(world.manager.map().group(GROUP).home()).isEqualTo(SECOND_SEAT);
    assertThat(seats.get(2).pushed).isNotEmpty();
  }

  @Test
  void oneThatReportsStays() {
    pass(3, 1, 2, 3);
    suspect(FIRST, true);
    assertThat(entry(FIRST).away()).isFalse();
  }

  @Test
  void anotherMustHaveFoundTheSame() {
    pass(3, 2, 3);
    suspect(FIRST, false);
    assertThat(entry(FIRST).away()).isFalse();
    world.pass(2 * SECOND);
    report(2);
    suspect(FIRST, false);
    assertThat(entry(FIRST).away()).as("there is no other").isTrue();
  }

  @Test
  void anotherProcessIsNotMeant() {
    pass(3, 2, 3);
    seats.get(1).ask(new Maps.Suspect(FIRST, entry(FIRST).start() + 1, SECOND_SEAT, true));
    world.pass(SECOND / 10);
    assertThat(entry(FIRST).away()).isFalse();
  }

  @Test
  void oneThatIsHeardOfAgainIsNotAwayAndHasTime() {
    pass(3, 2, 3);
    suspect(FIRST, true);
    report(1);
    world.pass(SECOND / 10);
    assertThat(entry(FIRST).away()).isFalse();
    assertThat(world.manager.map().group(GROUP).home()).as("behind").isEqualTo(SECOND_SEAT);
    pass(3, 2, 3);
    suspect(FIRST, true);
    assertThat(entry(FIRST).away()).as("too soon").isFalse();
    pass(3, 2, 3);
    suspect(FIRST, true);
    assertThat(entry(FIRST).away()).isTrue();
  }

  @Test
  void aManagerThatHasJustStartedWaits() throws Exception {
    pass(3, 2, 3);
    world.kill();
    world.start();
    for (int i = 0; i < 3; i++) {
      seats.set(i, world.seat());
    }
    world.until(() -> world.manager.map() != null, "the map");
    suspect(FIRST, true);
    assertThat(entry(FIRST).away()).isFalse();
    pass(5, 2, 3);
    suspect(FIRST, true);
    assertThat(entry(FIRST).away()).as("it may be starting, too").isFalse();
    pass(5, 2, 3);
    suspect(FIRST, true);
    assertThat(entry(FIRST).away()).isTrue();
  }

  /** It may have died a moment ago, and its memory with it. */
  @Test
  void whoGivesItsPlaceUpWaitsForAWordOfTheOther() {
    pass(3, 1, 2, 3);
    long incarnation = entry(FIRST).incarnation();
    Maps.MemberFailed failed =
        new Maps.MemberFailed(
            GROUP, world.manager.map().group(GROUP).epoch(), FIRST, incarnation, "its disk fails");
    assertThat(seats.getFirst().ask(failed)).isInstanceOf(Replies.Failed.class);
    pass(1, 1, 3);
    assertThat(seats.getFirst().ask(failed)).isInstanceOf(Replies.Failed.class);
    assertThat(world.manager.map().group(GROUP).home()).isEqualTo(FIRST);
    pass(1, 1, 2, 3);
    assertThat(seats.getFirst().ask(failed)).isInstanceOf(Replies.Done.class);
    assertThat(world.manager.map().group(GROUP).home()).isEqualTo(SECOND_SEAT);
  }
}
