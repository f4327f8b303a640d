// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.neighbour;

import static io.forebay.seat.manager.state.SmallRing.seats;
import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.base.SeatId;
import io.forebay.seat.TestSeat;
import io.forebay.seat.manager.state.SmallRing;
import io.forebay.seat.peer.RecordedNetwork.Sent;
import io.forebay.wire.Connection;
import io.forebay.wire.message.Loads.Load;
import io.forebay.wire.message.Loads.Strain;
import io.forebay.wire.message.Maps;
import io.forebay.wire.message.Message;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class StabilizerTest {
  private static final long MILLISECOND = 1_000_000;
  private static final long LOOK = 100 * MILLISECOND;

  private final TestSeat seat = new TestSeat();
  private final Overload overload = new Overload(seat.basics(), seat.questions(), false);
  private final Stabilizer stabilizer = new Stabilizer(seat.basics(), seat.links(), overload);
  private final Set<SeatId> silent = new HashSet<>();
  private final Set<SeatId> pinged = new TreeSet<>();
  private final Set<SeatId> witnesses = new TreeSet<>();
  private boolean witnessHears;

  private void start(SmallRing ring) {
    seat.follow(ring.map());
    stabilizer.start();
  }

  /** Lets time pass while all that are not silent answer. */
  private void live(long nanos) {
    for (long passed = 0; passed < nanos; passed += LOOK) {
      seat.advance(LOOK);
      for (Sent sent : seat.takeSent()) answer(sent);
    }
  }

  private void answer(Sent sent) {
    SeatId to = seat.seatOf(sent);
    if (sent.message() instanceof Maps.Ping) pinged.add(to);
    if (sent.message() instanceof Maps.AskAlive) witnesses.add(to);
    if (silent.contains(to)) return;
    switch (sent.message()) {
      case Maps.Ping ping -> sent.answer(new Maps.Pong(1, 1, new Load(Strain.MEMORY, 500)));
      case Maps.AskAlive ask -> sent.answer(new Maps.AliveIs(ask.suspect(), witnessHears));
      default -> {}
    }
  }

  private List<Maps.Suspect> suspected() {
    return seat.takeSentToManager().stream().map(sent -> (Maps.Suspect) sent.message()).toList();
  }

  @Test
  void theTwoNextAndTheOneBeforeAreWatched() {
    start(SmallRing.of(8));
    live(2000 * MILLISECOND);
    assertThat(pinged).containsExactlyElementsOf(seats(2, 3, 8));
    assertThat(suspected()).isEmpty();
    assertThat(
            overload.strainOf(
                SmallRing.of(8).group(2, 1, SmallRing.current(2)).map().groups().getFirst()))
        .as("an answer tells how full the neighbour is")
        .isEqualTo(Strain.MEMORY);
  }

  @Test
  void seatsThatAreAwayArePassedBy() {
    start(SmallRing.of(8).away(2).away(8));
    live(1000 * MILLISECOND);
    assertThat(pinged).containsExactlyElementsOf(seats(3, 4, 7));
  }

  @Test
  void aSilentNeighbourIsToldToTheManagerWithAWitnesssWord() {
    silent.add(new SeatId(2));
    start(SmallRing.of(8));
    live(1500 * MILLISECOND);
    assertThat(suspected()).isEmpty();
    live(300 * MILLISECOND);
    List<Maps.Suspect> told = suspected();
    assertThat(told).isNotEmpty();
    assertThat(told.getFirst().suspect()).isEqualTo(new SeatId(2));
    assertThat(told.getFirst().confirmed()).isTrue();
    assertThat(witnesses).containsExactly(new SeatId(3));
    assertThat(pinged).as("the next one is watched in its place").contains(new SeatId(4));
  }

  @Test
  void aWitnessThatHearsItConfirmsNothing() {
    witnessHears = true;
    silent.add(new SeatId(2));
    start(SmallRing.of(8));
    live(1900 * MILLISECOND);
    assertThat(suspected()).isNotEmpty().noneMatch(Maps.Suspect::confirmed);
  }

  @Test
  void aWitnessThatDoesNotAnswerIsFollowedByAnother() {
    silent.addAll(seats(3, 4));
    start(SmallRing.of(8));
    live(2900 * MILLISECOND);
    assertThat(witnesses).containsExactlyElementsOf(seats(4, 5));
    assertThat(suspected()).anyMatch(Maps.Suspect::confirmed);
  }

  @Test
  void twoSeatsHaveNoWitness() {
    silent.add(new SeatId(2));
    start(SmallRing.of(2));
    live(1900 * MILLISECOND);
    assertThat(suspected()).isNotEmpty().noneMatch(Maps.Suspect::confirmed);
  }

  @Test
  void aSeatThatDidNothingItselfSuspectsNobody() {
    start(SmallRing.of(4));
    live(1000 * MILLISECOND);
    seat.sleep(10_000 * MILLISECOND);
    live(500 * MILLISECOND);
    assertThat(suspected()).isEmpty();
    assertThat(witnesses).isEmpty();
  }

  @Test
  void aWitnessAsksUntilItIsAnsweredOrHalfASecondHasPassed() {
    start(SmallRing.of(3));
    Connection asker = seat.client();
    stabilizer.askedAlive(asker, 5, new Maps.AskAlive(new SeatId(2)));
    Sent ping = seat.takeSent().getFirst();
    ping.answer(new Maps.Pong(1, 1, new Load(Strain.NONE, 0)));
    assertThat(answersTo(asker)).containsExactly(new Maps.AliveIs(new SeatId(2), true));
    stabilizer.askedAlive(asker, 6, new Maps.AskAlive(new SeatId(2)));
    seat.advance(400 * MILLISECOND);
    assertThat(answersTo(asker)).isEmpty();
    seat.advance(200 * MILLISECOND);
    assertThat(answersTo(asker)).containsExactly(new Maps.AliveIs(new SeatId(2), false));
    stabilizer.askedAlive(asker, 7, new Maps.AskAlive(TestSeat.SELF));
    assertThat(answersTo(asker)).containsExactly(new Maps.AliveIs(TestSeat.SELF, true));
  }

  private List<Message> answersTo(Connection asker) {
    return seat.takeSent().stream()
        .filter(sent -> sent.connection().equals(asker))
        .map(Sent::message)
        .toList();
  }
}
