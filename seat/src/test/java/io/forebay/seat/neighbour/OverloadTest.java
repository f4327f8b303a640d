// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.neighbour;

import static io.forebay.seat.manager.state.SmallRing.behind;
import static io.forebay.seat.manager.state.SmallRing.current;
import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.base.FileId;
import io.forebay.base.GroupId;
import io.forebay.base.SeatId;
import io.forebay.ring.Allocation;
import io.forebay.ring.Group;
import io.forebay.ring.Instance;
import io.forebay.ring.RingMap;
import io.forebay.seat.TestSeat;
import io.forebay.seat.manager.state.SmallRing;
import io.forebay.seat.peer.RecordedNetwork.Sent;
import io.forebay.store.tier.RoomLeft;
import io.forebay.store.tier.StoreConfig;
import io.forebay.wire.message.Loads;
import io.forebay.wire.message.Loads.Load;
import io.forebay.wire.message.Loads.Strain;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class OverloadTest {
  private static final long MILLISECOND = 1_000_000;
  private static final int SEGMENT = TestSeat.SEGMENT_BYTES;
  private static final StoreConfig MEMORY = StoreConfig.memory(SEGMENT, 32L * SEGMENT);

  private final TestSeat seat = new TestSeat();
  private final Overload overload = new Overload(seat.basics(), seat.questions(), true);

  /** Four seats with a group each, of two copies: its own and the next one. */
  private final RingMap map =
      SmallRing.of(4)
          .group(1, 2, current(1), current(2))
          .group(2, 2, current(2), current(3))
          .group(3, 2, current(3), current(4))
          .group(4, 2, current(4), behind(1))
          .instance(2, false)
          .map();

  private Group group(int origin) {
    return Objects.requireNonNull(map.group(SmallRing.id(origin, 2)));
  }

  private Instance instance() {
    return map.instances().getFirst();
  }

  private void tell(int number, Strain strain, int usedPermille) {
    overload.told(new SeatId(number), new Load(strain, usedPermille));
  }

  @Test
  void aSeatIsFullWithoutASegmentAndNotAgainBeforeItHasTwo() {
    assertThat(Overload.strain(MEMORY, memory(0), Strain.NONE)).isEqualTo(Strain.FULL);
    assertThat(Overload.strain(MEMORY, memory(1), Strain.NONE)).isEqualTo(Strain.MEMORY);
    assertThat(Overload.strain(MEMORY, memory(1), Strain.FULL)).isEqualTo(Strain.FULL);
    assertThat(Overload.strain(MEMORY, memory(2), Strain.FULL)).isEqualTo(Strain.MEMORY);
  }

  @Test
  void memoryIsShortAtASixteenthAndEnoughAtASixth() {
    assertThat(Overload.strain(MEMORY, memory(3), Strain.NONE)).isEqualTo(Strain.NONE);
    assertThat(Overload.strain(MEMORY, memory(2), Strain.NONE)).isEqualTo(Strain.MEMORY);
    assertThat(Overload.strain(MEMORY, memory(4), Strain.MEMORY)).isEqualTo(Strain.MEMORY);
    assertThat(Overload.strain(MEMORY, memory(5), Strain.MEMORY)).isEqualTo(Strain.NONE);
  }

  private static RoomLeft memory(int left) {
    return new RoomLeft(left, 28, 0, 0);
  }

  @Test
  void anSsdOnlySeatCountsItsSsdAndIsNeverShortOfMemory() {
    StoreConfig ssd = StoreConfig.ssd(SEGMENT, 32L * SEGMENT);
    assertThat(Overload.strain(ssd, new RoomLeft(0, 8, 1, 28), Strain.NONE)).isEqualTo(Strain.NONE);
    assertThat(Overload.strain(ssd, new RoomLeft(4, 8, 0, 28), Strain.NONE)).isEqualTo(Strain.FULL);
  }

  @Test
  void aSeatWithRoomOnItsSsdIsShortOfMemoryOnly() {
    StoreConfig hybrid = StoreConfig.hybrid(SEGMENT, 32L * SEGMENT, 32L * SEGMENT);
    RoomLeft left = new RoomLeft(0, 28, 5, 28);
    assertThat(Overload.strain(hybrid, left, Strain.NONE)).isEqualTo(Strain.MEMORY);
  }

  @Test
  void whatASeatSaidIsBelievedForTwoSeconds() {
    seat.follow(map);
    tell(2, Strain.FULL, 1000);
    seat.sleep(2000 * MILLISECOND - 1);
    assertThat(overload.strainOf(group(1))).isEqualTo(Strain.FULL);
    assertThat(overload.fullMember(group(1))).isEqualTo(new SeatId(2));
    seat.sleep(1);
    assertThat(overload.strainOf(group(1))).isEqualTo(Strain.NONE);
    assertThat(overload.fullMember(group(1))).isNull();
  }

  @Test
  void theWorstCurrentMemberCounts() {
    seat.follow(map);
    tell(2, Strain.MEMORY, 10);
    tell(3, Strain.NONE, 999);
    assertThat(overload.strainOf(group(2))).isEqualTo(Strain.MEMORY);
    tell(4, Strain.FULL, 1000);
    assertThat(overload.strainOf(group(3))).isEqualTo(Strain.FULL);
    assertThat(overload.strainOf(group(2))).as("seat 4 is no member").isEqualTo(Strain.MEMORY);
  }

  @Test
  void recordsGoToTheGroupWhoseFullestMemberIsEmptiest() {
    seat.follow(map);
    tell(2, Strain.FULL, 1000);
    tell(3, Strain.NONE, 300);
    tell(4, Strain.NONE, 500);
    assertThat(overload.better(group(1), instance())).isEqualTo(SmallRing.id(3, 2));
    assertThat(overload.state()).isEqualTo("redirecting to seat 3");
  }

  /** Of an instance with a granule of two records in each of the first three groups. */
  private Instance promised() {
    List<Allocation.Share> shares =
        List.of(
            new Allocation.Share(new SeatId(1), 1),
            new Allocation.Share(new SeatId(2), 1),
            new Allocation.Share(new SeatId(3), 1));
    Allocation allocation = new Allocation("", 2L * TestSeat.RECORD_BYTES, shares);
    Instance promised = instance().withAllocation(allocation, instance().seats());
    seat.follow(new RingMap(1, 1, 1, map.seats(), map.groups(), List.of(promised)));
    return promised;
  }

  /** Elsewhere it would use spare room, while the granules stay reserved. */
  @Test
  void aRecordStaysWhereItsInstanceHasGranulesLeft() {
    Instance promised = promised();
    tell(2, Strain.FULL, 1000);
    tell(3, Strain.NONE, 300);
    tell(4, Strain.NONE, 500);
    FileId file = new FileId(promised.id(), 5);
    seat.keep(file, group(1).id());
    assertThat(overload.better(group(1), promised)).as("half of it is used").isNull();
    seat.keep(file, group(1).id());
    assertThat(overload.better(group(1), promised)).isEqualTo(SmallRing.id(3, 2));
  }

  @Test
  void aRecordGoesWhereItsInstanceMayHaveGranulesLeftBeforeItTakesSpareRoom() {
    Instance promised = promised();
    FileId file = new FileId(promised.id(), 5);
    seat.keep(file, group(1).id());
    assertThat(overload.withGranules(group(1), promised)).as("half of it is used").isNull();
    seat.keep(file, group(1).id());
    assertThat(overload.withGranules(group(1), promised))
        .isIn(SmallRing.id(2, 2), SmallRing.id(3, 2));
    seat.follow(map);
    assertThat(overload.withGranules(group(1), instance())).as("no promise").isNull();
  }

  @Test
  void noRecordGoesToAGroupThatLacksACopyOrOfWhichAMemberIsUnknown() {
    seat.follow(map);
    tell(2, Strain.FULL, 1000);
    tell(4, Strain.NONE, 0);
    assertThat(overload.better(group(1), instance()))
        .as("group 4 lacks a copy, and seat 3 has said nothing")
        .isNull();
    tell(3, Strain.NONE, 0);
    assertThat(overload.better(group(1), instance())).isEqualTo(SmallRing.id(3, 2));
  }

  @Test
  void aSeatThatIsShortOfMemoryRedirectsForATenthOnly() {
    seat.follow(map);
    tell(2, Strain.MEMORY, 900);
    tell(3, Strain.NONE, 0);
    tell(4, Strain.NONE, 801);
    assertThat(overload.better(group(1), instance())).isNull();
    tell(4, Strain.NONE, 800);
    assertThat(overload.better(group(1), instance())).isEqualTo(SmallRing.id(3, 2));
    tell(4, Strain.MEMORY, 0);
    assertThat(overload.better(group(1), instance())).as("as short itself").isNull();
  }

  @Test
  void groupsThatAreNearlyAsEmptyShare() {
    RingMap wide =
        SmallRing.of(4)
            .group(1, 1, current(1))
            .group(2, 1, current(2))
            .group(3, 1, current(3))
            .group(4, 1, current(4))
            .instance(1, false)
            .map();
    seat.follow(wide);
    Group strained = Objects.requireNonNull(wide.group(SmallRing.id(2, 1)));
    tell(2, Strain.FULL, 1000);
    tell(3, Strain.NONE, 100);
    tell(4, Strain.NONE, 150);
    List<GroupId> chosen = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      chosen.add(overload.better(strained, wide.instances().getFirst()));
    }
    assertThat(chosen).contains(SmallRing.id(1, 1)).doesNotContain(SmallRing.id(4, 1));
    tell(3, Strain.NONE, 50);
    chosen.clear();
    for (int i = 0; i < 100; i++) {
      chosen.add(overload.better(strained, wide.instances().getFirst()));
    }
    assertThat(chosen).containsOnly(SmallRing.id(1, 1), SmallRing.id(3, 1));
  }

  @Test
  void aGroupThatIsMuchEmptierTakesAll() {
    RingMap wide =
        SmallRing.of(4)
            .group(1, 1, current(2))
            .group(3, 1, current(3))
            .group(4, 1, current(4))
            .instance(1, false)
            .map();
    seat.follow(wide);
    tell(2, Strain.FULL, 1000);
    tell(3, Strain.NONE, 100);
    tell(4, Strain.NONE, 49);
    for (int i = 0; i < 20; i++) {
      assertThat(overload.better(wide.groups().getFirst(), wide.instances().getFirst()))
          .isEqualTo(SmallRing.id(4, 1));
    }
  }

  @Test
  void nothingIsRedirectedWithoutStrainOrByASeatThatShallNot() {
    seat.follow(map);
    tell(2, Strain.NONE, 990);
    tell(3, Strain.NONE, 0);
    tell(4, Strain.NONE, 0);
    assertThat(overload.better(group(1), instance())).isNull();
    Overload still = new Overload(seat.basics(), seat.questions(), false);
    still.told(new SeatId(2), new Load(Strain.FULL, 1000));
    still.told(new SeatId(3), new Load(Strain.NONE, 0));
    still.told(new SeatId(4), new Load(Strain.NONE, 0));
    assertThat(still.better(group(1), instance())).isNull();
  }

  @Test
  void asksAFewSeatsAtATimeAlongTheRingAndPassesThoseThatAreAway() {
    SmallRing ring = SmallRing.of(12).away(3).instance(1, false);
    RingMap wide = ring.group(1, 1, current(1)).map();
    seat.follow(wide);
    want(wide);
    overload.tick();
    assertThat(asked()).isEqualTo(SmallRing.seats(2, 4, 5, 6, 7, 8, 9, 10));
    seat.sleep(250 * MILLISECOND - 1);
    want(wide);
    overload.tick();
    assertThat(asked()).isEmpty();
    seat.sleep(1);
    overload.tick();
    assertThat(asked()).isEqualTo(SmallRing.seats(11, 12));
    seat.sleep(250 * MILLISECOND);
    overload.tick();
    assertThat(asked()).as("nothing was to be redirected since").isEmpty();
    want(wide);
    overload.tick();
    assertThat(asked()).startsWith(new SeatId(2));
  }

  @Test
  void anAnswerTellsHowFullTheOtherIs() {
    seat.follow(map);
    tell(2, Strain.FULL, 1000);
    overload.better(group(1), instance());
    overload.tick();
    for (Sent sent : seat.takeSent()) sent.answer(new Loads.LoadIs(new Load(Strain.NONE, 10)));
    assertThat(overload.strainOf(group(1))).isEqualTo(Strain.NONE);
  }

  /** A member is full: records are to be redirected. */
  private void want(RingMap map) {
    Group other = new Group(SmallRing.id(2, 1), 7, List.of(current(2)));
    tell(2, Strain.FULL, 1000);
    overload.better(other, map.instances().getFirst());
  }

  private List<SeatId> asked() {
    return seat.takeSent().stream()
        .filter(sent -> sent.message() instanceof Loads.AskLoad)
        .map(seat::seatOf)
        .toList();
  }
}
