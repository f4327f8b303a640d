// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.drain;

import static io.forebay.seat.manager.state.SmallRing.current;
import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.base.FileId;
import io.forebay.ring.DrainSpec;
import io.forebay.seat.TestSeat;
import io.forebay.seat.manager.state.SmallRing;
import io.forebay.seat.neighbour.Overload;
import io.forebay.seat.peer.RecordedNetwork.Sent;
import io.forebay.store.tier.StoreConfig;
import io.forebay.wire.Connection;
import io.forebay.wire.message.Drains;
import io.forebay.wire.message.Loads.Strain;
import java.util.List;
import org.junit.jupiter.api.Test;

class RoomCallTest {
  private static final long MILLISECOND = 1_000_000;
  private static final DrainSpec DRAINED = new DrainSpec("file:/store", "");

  private final TestSeat seat =
      new TestSeat(
          StoreConfig.memory(
              TestSeat.SEGMENT_BYTES, (long) StoreConfig.SLOTS_MIN * TestSeat.SEGMENT_BYTES));
  private final Overload overload = new Overload(seat.basics(), seat.questions(), false);
  private final RoomCall call =
      new RoomCall(seat.basics(), seat.questions(), seat.intake(), overload);

  /** Groups of one copy and of two, and a drained instance of two copies. */
  private SmallRing ring() {
    return SmallRing.of(3)
        .group(2, 1, current(2))
        .group(2, 2, current(2), current(3))
        .group(3, 2, current(3), current(1))
        .instance(1, false)
        .instance(2, false, DRAINED);
  }

  private List<Drains.WantRoom> called() {
    return seat.takeSent().stream()
        .map(Sent::message)
        .filter(message -> message instanceof Drains.WantRoom)
        .map(message -> (Drains.WantRoom) message)
        .toList();
  }

  @Test
  void aSeatWithRoomAsksForNone() {
    seat.follow(ring().map());
    call.tick();
    assertThat(called()).isEmpty();
  }

  @Test
  void whileClientsWaitTheHomesOfDrainedTreesAreCalledEveryHalfSecond() {
    seat.follow(ring().map());
    Connection client = seat.press();
    call.tick();
    List<Drains.WantRoom> called = called();
    assertThat(called)
        .extracting(Drains.WantRoom::group)
        .containsExactly(SmallRing.id(2, 2), SmallRing.id(3, 2));
    assertThat(called).extracting(Drains.WantRoom::bytes).containsOnly(8L * TestSeat.SEGMENT_BYTES);
    assertThat(called)
        .extracting(Drains.WantRoom::full)
        .as("they wait a moment")
        .containsOnly(false);
    seat.sleep(500 * MILLISECOND - 1);
    call.tick();
    assertThat(called()).isEmpty();
    seat.sleep(1);
    call.tick();
    assertThat(called()).hasSize(2);
    seat.sleep(500 * MILLISECOND);
    seat.relieve(client);
    call.tick();
    assertThat(called()).isEmpty();
  }

  @Test
  void aFullLogCallsBeforeAnyClientWaits() {
    seat.follow(ring().map());
    FileId file = new FileId(1, 1);
    for (int i = 0; i < 10_000 && overload.own().strain() != Strain.FULL; i++) {
      call.tick();
      assertThat(called()).isEmpty();
      seat.keep(file, SmallRing.id(1, 1));
      overload.tick();
    }
    assertThat(overload.own().strain()).isEqualTo(Strain.FULL);
    call.tick();
    assertThat(called()).extracting(Drains.WantRoom::full).containsExactly(true, true);
  }

  @Test
  void whileClientsWaitForAFullLogFilesAreDrainedBeforeTheirTime() {
    seat.follow(ring().map());
    FileId file = new FileId(1, 1);
    while (overload.own().strain() != Strain.FULL) {
      seat.keep(file, SmallRing.id(1, 1));
      overload.tick();
    }
    assertThat(seat.intake().isFull()).as("nobody waits yet").isFalse();
    Connection client = seat.press();
    assertThat(seat.intake().isFull()).isTrue();
    call.tick();
    assertThat(called()).extracting(Drains.WantRoom::full).containsExactly(true, true);
    seat.relieve(client);
    assertThat(seat.intake().isFull()).isFalse();
  }

  @Test
  void whileFreeRoomIsPromisedInstancesWithoutAPromiseAreAskedForTheirs() {
    seat.follow(ring().map());
    overload.refusedPromised();
    call.tick();
    List<Drains.WantRoom> called = called();
    assertThat(called).extracting(Drains.WantRoom::full).containsExactly(true, true);
    assertThat(called).extracting(Drains.WantRoom::unpromised).containsExactly(true, true);
    seat.sleep(2000 * MILLISECOND);
    call.tick();
    assertThat(called()).as("no client has tried again").isEmpty();
  }

  @Test
  void withoutAMapOrADrainedInstanceNobodyIsCalled() {
    seat.press();
    call.tick();
    assertThat(called()).isEmpty();
    seat.follow(
        SmallRing.of(3)
            .group(2, 2, current(2))
            .instance(2, false)
            .instance(2, true, DRAINED)
            .map());
    call.tick();
    assertThat(called()).as("no instance is drained, or it is destroyed").isEmpty();
  }
}
