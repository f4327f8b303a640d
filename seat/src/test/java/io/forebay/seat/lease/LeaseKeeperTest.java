// SPDX-License-Identifier: Apache-2.0

package io.forebay.seat.lease;

import static io.forebay.seat.manager.state.SmallRing.behind;
import static io.forebay.seat.manager.state.SmallRing.current;
import static org.assertj.core.api.Assertions.assertThat;

import io.forebay.base.SeatId;
import io.forebay.ring.Group;
import io.forebay.ring.RingMap;
import io.forebay.seat.TestSeat;
import io.forebay.seat.manager.state.SmallRing;
import io.forebay.seat.part.ProtocolTimes;
import io.forebay.seat.peer.RecordedNetwork.Sent;
import io.forebay.wire.message.ErrorCode;
import io.forebay.wire.message.Maps;
import io.forebay.wire.message.Replies;
import java.util.List;
import org.junit.jupiter.api.Test;

class LeaseKeeperTest {
  private static final long LEASE_NANOS = ProtocolTimes.DEFAULT.lease().lengthNanos();
  private static final long MILLISECOND = 1_000_000;
  private static final long RENEW_NANOS = 500 * MILLISECOND;

  private final TestSeat seat = new TestSeat();

  private LeaseKeeper keeper(Group.Member... members) {
    RingMap map = SmallRing.of(3).group(1, 3, members).map();
    seat.follow(map);
    return new LeaseKeeper(
        seat.basics(), seat.questions(), seat.links().manager(), map.groups().getFirst());
  }

  private static void grant(Sent sent, long durationNanos) {
    Maps.Lease asked = (Maps.Lease) sent.message();
    sent.answer(
        new Maps.LeaseGranted(
            asked.group(), asked.epoch(), TestSeat.SELF, asked.sentNanos(), durationNanos));
  }

  @Test
  void holdsWhenEveryOtherCurrentMemberHasPromised() {
    LeaseKeeper keeper = keeper(current(1), current(2), current(3));
    keeper.poll();
    List<Sent> sent = seat.takeSent();
    assertThat(sent).hasSize(2);
    grant(sent.get(0), LEASE_NANOS);
    assertThat(keeper.held()).isFalse();
    grant(sent.get(1), LEASE_NANOS);
    assertThat(keeper.held()).isTrue();
    assertThat(seat.takeSentToManager()).isEmpty();
  }

  @Test
  void membersThatAreBehindPromiseNothing() {
    LeaseKeeper keeper = keeper(current(1), current(2), behind(3));
    keeper.poll();
    List<Sent> sent = seat.takeSent();
    assertThat(sent).extracting(seat::seatOf).containsExactly(new SeatId(2));
    grant(sent.getFirst(), LEASE_NANOS);
    assertThat(keeper.held()).isTrue();
  }

  @Test
  void aHomeWithoutOtherCurrentMembersAsksTheManager() {
    LeaseKeeper keeper = keeper(current(1), behind(2));
    keeper.poll();
    assertThat(seat.takeSent()).isEmpty();
    List<Sent> sent = seat.takeSentToManager();
    assertThat(sent).hasSize(1);
    assertThat(keeper.held()).isFalse();
    grant(sent.getFirst(), LEASE_NANOS);
    assertThat(keeper.held()).isTrue();
  }

  @Test
  void aLeaseCountsFromWhenItWasAskedFor() {
    LeaseKeeper keeper = keeper(current(1), current(2));
    keeper.poll();
    Sent sent = seat.takeSent().getFirst();
    seat.advance(300 * MILLISECOND);
    grant(sent, LEASE_NANOS);
    assertThat(keeper.leftNanos()).isEqualTo(LEASE_NANOS - 300 * MILLISECOND);
    seat.sleep(keeper.leftNanos() - 1);
    assertThat(keeper.held()).isTrue();
    seat.sleep(1);
    assertThat(keeper.held()).isFalse();
    assertThat(keeper.leftNanos()).isZero();
    seat.sleep(1);
    assertThat(keeper.leftNanos()).isZero();
  }

  @Test
  void noGrantIsBelievedForLongerThanALease() {
    LeaseKeeper keeper = keeper(current(1), current(2));
    keeper.poll();
    grant(seat.takeSent().getFirst(), 10 * LEASE_NANOS);
    seat.sleep(LEASE_NANOS);
    assertThat(keeper.held()).isFalse();
  }

  @Test
  void theLeaseThatEndsFirstCounts() {
    LeaseKeeper keeper = keeper(current(1), current(2), current(3));
    keeper.poll();
    List<Sent> sent = seat.takeSent();
    grant(sent.get(0), 700 * MILLISECOND);
    grant(sent.get(1), LEASE_NANOS);
    assertThat(keeper.leftNanos()).isEqualTo(700 * MILLISECOND);
  }

  @Test
  void isRenewedEveryHalfSecondAndALateAnswerShortensNothing() {
    LeaseKeeper keeper = keeper(current(1), current(2));
    keeper.poll();
    seat.advance(RENEW_NANOS - 1);
    keeper.poll();
    List<Sent> first = seat.takeSent();
    assertThat(first).hasSize(1);
    seat.advance(1);
    keeper.poll();
    List<Sent> second = seat.takeSent();
    assertThat(second).hasSize(1);
    grant(second.getFirst(), LEASE_NANOS);
    grant(first.getFirst(), LEASE_NANOS);
    assertThat(keeper.leftNanos()).isEqualTo(LEASE_NANOS);
  }

  @Test
  void aRefusalOrAGrantForAnotherEpochPromisesNothing() {
    LeaseKeeper keeper = keeper(current(1), current(2));
    keeper.poll();
    Sent sent = seat.takeSent().getFirst();
    sent.answer(new Replies.Failed(ErrorCode.UNAVAILABLE, "not now"));
    assertThat(keeper.held()).isFalse();
    seat.advance(RENEW_NANOS);
    keeper.poll();
    sent = seat.takeSent().getFirst();
    Maps.Lease asked = (Maps.Lease) sent.message();
    sent.answer(
        new Maps.LeaseGranted(
            asked.group(), asked.epoch() - 1, TestSeat.SELF, asked.sentNanos(), LEASE_NANOS));
    assertThat(keeper.held()).isFalse();
  }

  @Test
  void aMemberThatIsAboutToCountMustPromiseTooAndMayBeLetGoAgain() {
    LeaseKeeper keeper = keeper(current(1), current(2), behind(3));
    keeper.poll();
    grant(seat.takeSent().getFirst(), LEASE_NANOS);
    keeper.alsoAsk(new SeatId(3), true);
    assertThat(keeper.held()).isFalse();
    keeper.poll();
    List<Sent> sent = seat.takeSent();
    assertThat(sent).extracting(seat::seatOf).containsExactly(new SeatId(3));
    keeper.alsoAsk(new SeatId(3), false);
    assertThat(keeper.held()).isTrue();
    grant(sent.getFirst(), 1);
    seat.sleep(1);
    assertThat(keeper.held()).as("what it promises binds no more").isTrue();
  }
}
